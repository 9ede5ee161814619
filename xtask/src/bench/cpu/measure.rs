//! Runs: rounds in which libraries take turns.

use std::path::Path;

use super::Peer;
use super::grid::Group;
use super::protocol::{Answer, Dtype, Problem, Request};
use super::quiet::Quiet;
use super::worker::Worker;
use crate::bench::statistics::median;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What is measured.
pub(super) const OURS: &str = "anyblas";
/// Our own f32 product, which those of half types are compared with.
const SINGLE: &str = "anyblas in f32";
/// Crates that are compared with.
const CRATES: [&str; 3] = ["matrixmultiply", "gemm", "faer"];

/// Measurements with one number of threads.
#[derive(serde::Serialize)]
pub(super) struct Run {
    pub(super) threads: usize,
    pub(super) rows: Vec<Row>,
}

/// Measurements of one problem.
#[derive(serde::Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) group: Group,
    #[serde(skip)]
    pub(super) problem: Problem,
    /// `GFLOP/s` or `GB/s`.
    pub(super) unit: &'static str,
    /// Speed of ours in its fastest turn.
    pub(super) speed: f64,
    /// Speeds of the others.
    pub(super) peers: Vec<(String, f64)>,
    /// The fastest of them.
    pub(super) best: Option<String>,
    /// Ratio of our speed to the best peer's, in the fastest turns.
    pub(super) ratio: Option<f64>,
    /// Median of the ratios of neighbouring turns, which on a machine with other work is that work's too.
    pub(super) median: Option<f64>,
    /// Share of the peak of as many cores.
    pub(super) peak_share: Option<f64>,
    /// With several threads: median of the ratios of our speed to that with one.
    pub(super) speedup: Option<f64>,
}

/// Peak in f32 and f64, and seconds of the first call.
pub(super) fn machine(program: &Path) -> Result<(Option<[f64; 2]>, f64)> {
    let mut worker = Worker::start(program, 1, &[])?;
    if let Some(cpus) = Quiet::new(1)?.choose()? {
        worker.pin(&cpus)?;
    }
    let Answer::Peak(peak) = worker.ask(&Request::Peak)? else { return Err(unexpected()) };
    // Once more, when the program is in the page cache.
    let mut worker = Worker::start(program, 1, &[])?;
    Ok((peak, worker.seconds(&Request::FirstCall)?))
}

fn unexpected() -> Box<dyn std::error::Error> {
    "an answer to another question".into()
}

/// One of those that take turns.
struct Contestant {
    name: String,
    worker: usize,
    library: usize,
}

/// The processes of a run.
pub(super) struct Bench {
    threads: usize,
    quick: bool,
    workers: Vec<Worker>,
    contestants: Vec<Contestant>,
    /// The process with our library that multiplies in f32.
    single: usize,
    /// The process with our library on one thread, if the others have more.
    alone: Option<usize>,
    quiet: Quiet,
}

impl Bench {
    pub(super) fn start(program: &Path, threads: usize, peers: &[Peer], quick: bool) -> Result<Self> {
        let own = std::iter::once(OURS).chain(CRATES).map(|name| (name.to_owned(), name.to_owned()));
        let others = peers.iter().map(|p| (p.name.clone(), format!("{}={}", p.name, p.path.display())));
        let (names, libraries): (Vec<String>, Vec<String>) = own.chain(others).unzip();
        let mut workers = Vec::new();
        let mut contestants = Vec::new();
        if threads == 1 {
            workers.push(Worker::start(program, threads, &libraries)?);
        }
        for (i, (name, library)) in names.into_iter().zip(&libraries).enumerate() {
            if threads == 1 {
                contestants.push(Contestant { name, worker: 0, library: i });
            } else {
                contestants.push(Contestant { name, worker: workers.len(), library: 0 });
                workers.push(Worker::start(program, threads, std::slice::from_ref(library))?);
            }
        }
        let single = workers.len();
        workers.push(Worker::start(program, threads, &libraries[..1])?);
        let alone = (threads > 1).then_some(workers.len());
        if alone.is_some() {
            workers.push(Worker::start(program, 1, &libraries[..1])?);
        }
        Ok(Bench { threads, quick, workers, contestants, single, alone, quiet: Quiet::new(threads)? })
    }

    pub(super) fn run(&mut self, problems: &[Problem], peak: Option<[f64; 2]>) -> Result<Run> {
        say!("\n{} thread{}", self.threads, if self.threads == 1 { "" } else { "s" })?;
        let mut rows = Vec::new();
        for problem in problems {
            let row = self.row(*problem, peak)?;
            say!("{row}")?;
            rows.push(row);
        }
        Ok(Run { threads: self.threads, rows })
    }

    fn row(&mut self, problem: Problem, peak: Option<[f64; 2]>) -> Result<Row> {
        let mut takers: Vec<(String, usize, usize)> = Vec::new();
        self.go_where_it_is_quiet()?;
        for i in 0..self.workers.len() {
            let problem = match i {
                i if i == self.single && problem.group() != Group::Half => continue,
                i if i == self.single => Problem { dtype: Dtype::F32, ..problem },
                _ => problem,
            };
            let Answer::Libraries(able) = self.workers[i].ask(&Request::Prepare(problem))? else {
                return Err(unexpected());
            };
            let contestants = self.contestants.iter().filter(|c| c.worker == i && able.contains(&c.library));
            takers.extend(contestants.map(|c| (c.name.clone(), i, c.library)));
            if i == self.single {
                takers.push((SINGLE.to_owned(), i, 0));
            }
        }
        let ours = takers.iter().position(|t| t.0 == OURS).ok_or("anyblas cannot solve the problem")?;
        if let Some(i) = self.alone {
            takers.push((String::new(), i, 0));
        }
        let times = self.rounds(&takers)?;
        let paired = |i: usize| {
            let ratios: Vec<f64> =
                times[i].iter().zip(&times[ours]).map(|(other, own)| other / own).collect();
            median(&ratios)
        };
        let speedup = self.alone.map(|_| paired(takers.len() - 1));
        let is_peer = |i: &usize| *i != ours && !takers[*i].0.is_empty();
        // What disturbs a turn makes it longer: the shortest is nearest to the truth.
        let least: Vec<f64> = times.iter().map(|t| t.iter().copied().fold(f64::INFINITY, f64::min)).collect();
        let best = (0..takers.len()).filter(is_peer).min_by(|&i, &j| least[i].total_cmp(&least[j]));
        let speed = |i: usize| problem.work() / least[i] / 1e9;
        let level1 = problem.group() == Group::Level1;
        let peak = peak
            .filter(|_| !level1)
            .map(|[single, double]| if problem.is_double() { double } else { single });
        Ok(Row {
            name: problem.name(),
            group: problem.group(),
            problem,
            unit: if level1 { "GB/s" } else { "GFLOP/s" },
            speed: speed(ours),
            peers: (0..takers.len()).filter(is_peer).map(|i| (takers[i].0.clone(), speed(i))).collect(),
            best: best.map(|i| takers[i].0.clone()),
            ratio: best.map(|i| least[i] / least[ours]),
            median: best.map(paired),
            peak_share: peak.map(|peak| speed(ours) / (peak * self.threads as f64)),
            speedup,
        })
    }

    /// Seconds a call: those of each taker, round for round. Rounds go on for longer while something disturbs them.
    fn rounds(&mut self, takers: &[(String, usize, usize)]) -> Result<Vec<Vec<f64>>> {
        let (budget, least, most) = if self.quick { (0.4, 7, 15) } else { (0.6, 5, 21) };
        let mut times = vec![Vec::new(); takers.len()];
        let start = std::time::Instant::now();
        for round in 0..PATIENCE * most {
            let late = start.elapsed().as_secs_f64() / budget;
            let is_enough = round >= most || (round >= least && late > 1.0);
            if is_enough && (late > PATIENCE as f64 || times.iter().all(|times| is_settled(times))) {
                break;
            }
            self.go_where_it_is_quiet()?;
            for (i, &(_, worker, library)) in takers.iter().enumerate() {
                times[i].push(self.workers[worker].seconds(&Request::Sample(library))?);
            }
        }
        Ok(times)
    }

    /// Lets all processes run on the processors that are least disturbed at the moment.
    fn go_where_it_is_quiet(&mut self) -> Result<()> {
        if let Some(cpus) = self.quiet.choose()? {
            self.workers.iter().try_for_each(|worker| worker.pin(&cpus))?;
        }
        Ok(())
    }
}

/// How many times as long a row may take as on a quiet machine.
const PATIENCE: usize = 2;

/// Whether the two fastest turns agree within 2 %.
fn is_settled(times: &[f64]) -> bool {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.len() > 1 && times[1] <= 1.02 * times[0]
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:28} {:8.2} {:7}", self.name, self.speed, self.unit)?;
        if let (Some(ratio), Some(best)) = (self.ratio, &self.best) {
            write!(f, " {ratio:6.2} x {best:14}")?;
        }
        if let Some(share) = self.peak_share {
            write!(f, " {:3.0} % of peak", share * 100.0)?;
        }
        if let Some(speedup) = self.speedup {
            write!(f, " {speedup:5.2} x one thread")?;
        }
        let peers = self.peers.iter().map(|(name, speed)| format!(" {name} {speed:.2}"));
        write!(f, "  ({})", peers.collect::<String>().trim_start())
    }
}
