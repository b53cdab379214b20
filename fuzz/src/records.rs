//! knowledge.jsonl and threads.json: places are in the file, and edits change what they name and keep the rest.

use bstr::ByteSlice;
use skilltree_front_matter::text::FileId;
use skilltree_skills::records::{Knowledge, Threads, activate, bind, unbind};

use super::files::check_place;

/// Reads bytes as both files, and edits them as threads.
pub fn records(data: &[u8]) {
    knowledge(data);
    if let Ok(text) = data.to_str() {
        threads(text);
    }
}

fn knowledge(data: &[u8]) {
    let read = Knowledge::parse(FileId(0), data);
    assert_eq!(read, Knowledge::parse(FileId(0), data), "the second reading differs");
    for fault in &read.faults {
        check_place(fault.place, data, "knowledge");
        assert!(!fault.message.is_empty() && !fault.help.is_empty(), "{fault:?}");
    }
    for line in &read.lines {
        check_place(line.place, data, "knowledge");
    }
    for entry in &read.entries {
        let texts = [&entry.content, &entry.category, &entry.contributor, &entry.scope, &entry.content_hash];
        for text in texts {
            check_place(text.place, data, "knowledge");
            let written: Result<String, _> = serde_json::from_slice(&data[text.place.range()]);
            assert_eq!(written.ok().as_ref(), Some(&text.value), "a value is the JSON at its place");
        }
        assert!(entry.line >= 1 && entry.line <= read.lines.len().max(data.lines().count()));
    }
    assert_eq!(read.rewritten(&read), None, "a file differs from itself");
    let mut longer = data.to_vec();
    if !data.ends_with(b"\n") {
        longer.push(b'\n');
    }
    longer.extend_from_slice(b"{}\n");
    assert_eq!(Knowledge::parse(FileId(0), &longer).rewritten(&read), None, "an appended line is not a rewritten one");
}

fn threads(text: &str) {
    let read = Threads::parse(FileId(0), text);
    assert_eq!(read, Threads::parse(FileId(0), text), "the second reading differs");
    for fault in &read.faults {
        check_place(fault.place, text.as_bytes(), "threads");
    }
    for thread in &read.threads {
        check_place(thread.id.place, text.as_bytes(), "threads");
        thread.bound.iter().for_each(|bound| check_place(bound.place, text.as_bytes(), "threads"));
    }
    if read.faults.is_empty() {
        // The grammar of JSON allows unpaired surrogates; only reading such a string fails.
        serde_json::from_str::<serde::de::IgnoredAny>(text).expect("a file without faults is JSON");
        edit(text, &read);
    } else if let Some(edited) = bind(text, "t", "pdf") {
        // A file with other faults may still be edited; the edit adds none.
        assert!(Threads::parse(FileId(0), &edited).faults.len() <= read.faults.len(), "{edited}");
    }
}

fn edit(text: &str, read: &Threads) {
    let names = |threads: &Threads, id: &str| -> Vec<String> {
        threads.find(id).into_iter().flat_map(|thread| &thread.bound).map(|bound| bound.value.clone()).collect()
    };
    let id = read.threads.first().map_or("new", |thread| thread.id.value.as_str());
    for id in [id, "new \"thread\"\n"] {
        let bound = bind(text, id, "pdf").expect("a file without faults can be edited");
        let after = Threads::parse(FileId(0), &bound);
        assert!(after.faults.is_empty(), "{:?}\n{bound}", after.faults);
        assert!(names(&after, id).contains(&"pdf".to_owned()), "it is bound:\n{bound}");
        let others = |threads: &Threads| -> Vec<Vec<String>> {
            threads
                .threads
                .iter()
                .map(|one| &one.id.value)
                .filter(|one| *one != id)
                .map(|one| names(threads, one))
                .collect()
        };
        assert_eq!(others(&after), others(read), "no other thread changes");
        assert_eq!(bind(&bound, id, "pdf").as_ref(), Some(&bound), "binding again changes nothing");
        let unbound = unbind(&bound, id, "pdf").expect("it can be edited");
        let after = Threads::parse(FileId(0), &unbound);
        assert!(after.faults.is_empty() && !names(&after, id).contains(&"pdf".to_owned()), "it is unbound:\n{unbound}");
        let active = activate(text, id).expect("it can be edited");
        let after = Threads::parse(FileId(0), &active);
        assert!(after.faults.is_empty(), "{:?}\n{active}", after.faults);
        assert_eq!(after.active.as_deref(), Some(id), "it is active:\n{active}");
        assert_eq!(others(&after), others(read), "no other thread changes");
    }
}
