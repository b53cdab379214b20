//! Messages over a pair of streams, such as standard input and output. A message that is too long or not JSON is reported and skipped:
//! the server goes on.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Connection, Message, Notification};
use serde_json::json;

/// Maximum size of a message in bytes (ours: 64 MiB). A longer one is skipped.
pub(crate) const MESSAGE_BYTES: u64 = 64 << 20;

/// Maximum size of a line of a header (ours).
const HEADER_BYTES: u64 = 4 << 10;

/// The notification that replaces a message that cannot be read; its parameter says why.
pub(crate) const UNREADABLE: &str = "$/skilltree/unreadable";

/// Connects streams. The reader ends with its stream or at the message `exit`. The writer ends when the connection is dropped: join it
/// after that.
pub fn connect(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> (Connection, JoinHandle<io::Result<()>>) {
    let (to_client, from_server) = unbounded();
    let (to_server, from_client) = unbounded();
    thread::spawn(move || read(BufReader::new(input), &to_server));
    let writer = thread::spawn(move || write(output, &from_server));
    (Connection { sender: to_client, receiver: from_client }, writer)
}

fn write(mut output: impl Write, messages: &Receiver<Message>) -> io::Result<()> {
    messages.iter().try_for_each(|message| message.write(&mut output))
}

fn read(mut input: impl BufRead, server: &Sender<Message>) -> io::Result<()> {
    while let Some(bytes) = length(&mut input)? {
        let message = match bytes <= MESSAGE_BYTES {
            true => parse(&mut input, bytes)?,
            false => {
                io::copy(&mut (&mut input).take(bytes), &mut io::sink())?;
                unreadable(&format!("a message of {} MiB is skipped: the limit is 64 MiB", bytes >> 20))
            }
        };
        let is_exit = matches!(&message, Message::Notification(notification) if notification.method == "exit");
        if server.send(message).is_err() || is_exit {
            break;
        }
    }
    Ok(())
}

fn parse(input: &mut impl Read, bytes: u64) -> io::Result<Message> {
    let mut text = Vec::new();
    input.take(bytes).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text).unwrap_or_else(|_| unreadable("a message is skipped: it is no JSON-RPC")))
}

fn unreadable(why: &str) -> Message {
    Notification::new(UNREADABLE.to_owned(), json!({ "why": why })).into()
}

/// Reads a header; `None` at the end of the stream. A header without a length is skipped.
fn length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(HEADER_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            None if line.trim().is_empty() && length.is_some() => return Ok(length),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = unbounded();
        read(io::Cursor::new(input.to_vec()), &sender).unwrap();
        drop(sender);
        receiver.iter().map(|message| serde_json::to_string(&message).unwrap()).collect()
    }

    #[test]
    fn skips_nonsense() {
        let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let good = message(r#"{"jsonrpc":"2.0","method":"a"}"#);
        let input = [
            &message("nonsense"),
            "X: y\r\n\r\n\r\n",
            &good,
            &message(r#"{"id":[],"method":7}"#),
            &good.replace("Content-Length", "content-length"),
            &message("\u{fffd}").replace('\u{fffd}', "abc"),
        ];
        let received = received(input.concat().as_bytes());
        let bad: Vec<bool> = received.iter().map(|message| message.contains(UNREADABLE)).collect();
        assert_eq!(bad, [true, false, true, false, true], "{received:?}");
    }

    #[test]
    fn skips_long_messages() {
        let bytes = MESSAGE_BYTES + 1;
        let mut input = format!("Content-Length: {bytes}\r\n\r\n").into_bytes();
        input.resize(input.len() + bytes as usize, b' ');
        input.extend_from_slice(b"Content-Length: 14\r\n\r\n{\"method\":\"a\"}");
        let received = received(&input);
        assert!(received.len() == 2 && received[0].contains("64 MiB") && received[1].contains("\"a\""), "{received:?}");
    }

    #[test]
    fn ends_with_the_stream_and_at_exit() {
        assert_eq!(received(b""), [""; 0]);
        assert_eq!(received(b"Content-Length: 99\r\n\r\n{").len(), 1, "a message that is cut");
        let input = b"Content-Length: 17\r\n\r\n{\"method\":\"exit\"}Content-Length: 14\r\n\r\n{\"method\":\"a\"}";
        assert_eq!(received(input).len(), 1);
        assert_eq!(received(&b"x".repeat(100_000)), [""; 0]);
    }
}
