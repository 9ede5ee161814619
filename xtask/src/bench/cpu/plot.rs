//! Plots for docs/performance.

use std::path::Path;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::Report;
use super::grid::Group;
use super::measure::{OURS, Row, Run};
use super::protocol::{Dtype, Form};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Name of a plot beside the tables at `path`.
pub(super) fn file(path: &Path, plot: &str, threads: usize) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}-{plot}-{threads}.svg")
}

/// Writes all plots.
pub(super) fn write(report: &Report, path: &Path) -> Result<()> {
    for run in &report.runs {
        let beside = |plot| path.with_file_name(file(path, plot, run.threads));
        gemm(run, &beside("gemm"))?;
        ratios(run, &beside("ratios"))?;
    }
    Ok(())
}

/// Square products of the four types, a panel each.
fn gemm(run: &Run, path: &Path) -> Result<()> {
    let root = SVGBackend::new(path, (1100, 800)).into_drawing_area();
    root.fill(&WHITE)?;
    for (panel, dtype) in
        root.split_evenly((2, 2)).iter().zip([Dtype::F32, Dtype::F64, Dtype::C32, Dtype::C64])
    {
        let is_square = |r: &&Row| {
            let p = r.problem;
            r.group == Group::Gemm && p.dtype == dtype && p.form == Form::N && p.m == p.n && p.n == p.k
        };
        let rows: Vec<&Row> = run.rows.iter().filter(is_square).collect();
        if let Some(first) = rows.first() {
            let name = first.name.split(' ').next().unwrap_or_default();
            lines(panel, &format!("{name}, {} by order of the matrices", first.unit), &rows)?;
        }
    }
    root.present()?;
    Ok(())
}

/// Speed over size, a line for each library.
fn lines(area: &Area, title: &str, rows: &[&Row]) -> Result<()> {
    let mut libraries = vec![OURS];
    for (name, _) in rows.iter().flat_map(|r| &r.peers) {
        if !libraries.contains(&name.as_str()) {
            libraries.push(name);
        }
    }
    let speed = |row: &Row, library: &str| {
        let peer = row.peers.iter().find(|p| p.0 == library).map(|p| p.1);
        if library == OURS { Some(row.speed) } else { peer }
    };
    let fastest = rows.iter().flat_map(|r| libraries.iter().filter_map(|l| speed(r, l))).fold(0.0, f64::max);
    let sizes = || rows.iter().map(|r| r.problem.m as f64);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(8)
        .x_label_area_size(28)
        .y_label_area_size(40)
        .build_cartesian_2d((least..most.max(least + 1.0)).log_scale().base(2.0), 0.0..fastest * 1.05)?;
    chart.configure_mesh().light_line_style(WHITE).x_label_formatter(&|x| format!("{x:.0}")).draw()?;
    for (i, library) in libraries.iter().enumerate() {
        let colour = Palette99::pick(i).to_rgba();
        let style = colour.stroke_width(if *library == OURS { 3 } else { 1 });
        let points = rows.iter().filter_map(|r| Some((r.problem.m as f64, speed(r, library)?)));
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(*library)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The ratio of every row, by group, from the worst to the best.
fn ratios(run: &Run, path: &Path) -> Result<()> {
    let root = SVGBackend::new(path, (1100, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let groups = Group::ALL.map(|group| {
        let of_group = run.rows.iter().filter(|r| r.group == group);
        let mut ratios: Vec<f64> = of_group.filter_map(|r| r.ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    });
    let number: usize = groups.iter().map(Vec::len).sum();
    let mut chart = ChartBuilder::on(&root)
        .caption("Speed of anyblas by that of the best peer, every row", ("sans-serif", 18))
        .margin(8)
        .y_label_area_size(40)
        .build_cartesian_2d(0.0..number as f64, (0.25..4.0).log_scale().base(2.0))?;
    let label = |y: &f64| format!("{y:.2}");
    chart.configure_mesh().disable_x_mesh().light_line_style(WHITE).y_label_formatter(&label).draw()?;
    level(&mut chart, number, 1.0, BLACK.stroke_width(1))?;
    level(&mut chart, number, 0.9, RED.stroke_width(1))?;
    let mut first = 0;
    for (i, (group, ratios)) in Group::ALL.into_iter().zip(&groups).enumerate() {
        if ratios.is_empty() {
            continue;
        }
        let colour = Palette99::pick(i).to_rgba();
        let dot = |(j, ratio): (usize, &f64)| {
            Circle::new(((first + j) as f64, ratio.clamp(0.25, 4.0)), 2, colour.filled())
        };
        chart
            .draw_series(ratios.iter().enumerate().map(dot))?
            .label(group.title())
            .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
        first += ratios.len();
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}

/// A horizontal line.
fn level<Y>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<RangedCoordf64, Y>>,
    width: usize,
    y: f64,
    style: ShapeStyle,
) -> Result<()>
where
    Y: plotters::coord::ranged1d::Ranged<ValueType = f64>,
{
    chart.draw_series(LineSeries::new([(0.0, y), (width as f64, y)], style))?;
    Ok(())
}
