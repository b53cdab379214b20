//! Front matter: places are in the text and on character boundaries, and a plain scalar is the text at its place.

use skilltree_front_matter::text::{FileId, Place};
use skilltree_front_matter::{self as front_matter, Bounds, Field, Node, NodeKind, Reading, Slip, Style, What};

use super::files::check_place;

const BOUNDS: Bounds = Bounds { bytes: 8 << 10, nodes: 400, depth: 12, body_lines: 500, body_tokens: 5_000 };

/// Parses any bytes as a SKILL.md.
pub fn front_matter(data: &[u8]) {
    let reading = front_matter::read(FileId(0), data, BOUNDS);
    assert_eq!(reading, front_matter::read(FileId(0), data, BOUNDS), "the second reading differs");
    assert!(reading.body_start <= data.len(), "the body starts after the end");
    for place in places(&reading) {
        check_place(place, data, "front matter");
    }
    let starts: Vec<u32> = reading.faults.iter().map(|fault| fault.place.start).collect();
    assert!(starts.is_sorted(), "the faults are in the order of the file");
    let found = reading.front_matter.as_ref();
    let is_read = found.is_some_and(|found| found.fields.is_some());
    assert!(is_read || !reading.faults.is_empty(), "nothing is read, and nothing is wrong");
    if let Some(found) = found {
        assert!(found.opener.end <= found.yaml.start, "the YAML starts before the opening fence ends");
        assert!(found.yaml.end as usize <= reading.body_start, "the YAML ends in the body");
    }
    for field in found.iter().flat_map(|found| found.fields.iter().flatten()) {
        check_field(field, data, &reading);
    }
    check_same_without_body(data, &reading);
}

/// The fields do not depend on the body.
fn check_same_without_body(data: &[u8], reading: &Reading<'_>) {
    let Some(found) =
        reading.front_matter.as_ref().filter(|_| reading.text.is_some_and(|text| text.len() == data.len()))
    else {
        return;
    };
    let header = front_matter::read(FileId(0), &data[..reading.body_start], BOUNDS);
    let fields = header.front_matter.and_then(|found| found.fields);
    assert_eq!(fields, found.fields, "the fields depend on the body");
}

fn check_field(field: &Field, data: &[u8], reading: &Reading<'_>) {
    assert!(!field.key.place.is_whole() && !field.value.place.is_whole(), "{field:?} has no place");
    check_node(&field.value, data, reading);
}

fn check_node(node: &Node, data: &[u8], reading: &Reading<'_>) {
    let NodeKind::Scalar { text, style: Style::Plain, .. } = &node.kind else {
        match &node.kind {
            NodeKind::List(items) => items.iter().for_each(|item| check_node(item, data, reading)),
            NodeKind::Map(fields) => fields.iter().for_each(|field| check_field(field, data, reading)),
            NodeKind::Scalar { .. } => {}
        }
        return;
    };
    let Some(written) = reading.text.and_then(|all| all.get(node.place.range())) else { return };
    // An empty value has the place of its key. Line breaks in a plain scalar are folded, and YAML has more of them than ASCII.
    let is_folded = written.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    if text.is_empty() || is_folded || written.starts_with('*') {
        return;
    }
    // Control characters are read as a replacement character, and are faults.
    if !written.chars().any(|character| character.is_control() && character != '\t') {
        assert_eq!(written, text, "a plain scalar is the text at its place");
    }
}

fn places(reading: &Reading<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    for fault in &reading.faults {
        places.push(fault.place);
        match &fault.what {
            What::Unclosed { intended: Some((place, _)) }
            | What::Yaml { quote: Some(place), .. }
            | What::Yaml {
                slip: Some(Slip::DeepKey { extra: place } | Slip::Apostrophe { value: Some(place) }), ..
            }
            | What::DuplicateKey { first: place, .. }
            | What::CutByComment { value: place, .. } => places.push(*place),
            _ => {}
        }
    }
    if let Some(found) = &reading.front_matter {
        places.extend([found.opener, found.yaml]);
        places.extend(found.repeated);
        places.extend(&found.comments);
        found.fields.iter().flatten().for_each(|field| field_places(field, &mut places));
    }
    places
}

fn field_places(field: &Field, places: &mut Vec<Place>) {
    places.push(field.key.place);
    node_places(&field.value, places);
}

fn node_places(node: &Node, places: &mut Vec<Place>) {
    places.push(node.place);
    match &node.kind {
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter().for_each(|item| node_places(item, places)),
        NodeKind::Map(fields) => fields.iter().for_each(|field| field_places(field, places)),
    }
}
