//! The report on a machine, whatever the machine has.

#[test]
fn each_backend_reports_something() {
    let report = anyblas::doctor();
    let names: Vec<_> = report.backends.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, anyblas::backends().iter().map(|b| b.name).collect::<Vec<_>>());
    for (name, diagnosis) in &report.backends {
        assert!(!diagnosis.facts.is_empty(), "{name} has nothing to say");
        // A backend without a device says what to do.
        let has_device = anyblas::devices().iter().any(|d| d.id.backend == *name);
        assert!(has_device || !diagnosis.advice.is_empty(), "{name}: {diagnosis}");
    }
    let text = report.to_string();
    assert!(text.starts_with("anyblas "), "{text}");
    for device in anyblas::devices() {
        assert!(text.contains(&device.id.to_string()) && text.contains(&device.name), "{text}");
    }
}
