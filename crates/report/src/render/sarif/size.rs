//! Size of the results as an uploader compresses them.

use miniz_oxide::DataFormat;
use miniz_oxide::deflate::CompressionLevel;
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output};

/// Maximum number of compressed bytes of results. GitHub rejects files over 10 MB; the rules and what the compressor has not
/// written yet are less than the difference.
const BYTES: usize = 9_000_000;

/// Compresses results and keeps only their size. The fastest level gives an upper bound: uploaders compress better.
pub(super) struct Size {
    compressor: CompressorOxide,
    bytes: usize,
}

impl Size {
    pub(super) fn new() -> Self {
        let compressor = CompressorOxide::with_format_and_level(DataFormat::Raw, CompressionLevel::BestSpeed);
        Self { compressor, bytes: 0 }
    }

    /// Adds a result. Returns whether the results so far are within the limit.
    pub(super) fn add(&mut self, result: &[u8]) -> bool {
        let bytes = &mut self.bytes;
        compress_to_output(&mut self.compressor, result, TDEFLFlush::None, |output| {
            *bytes += output.len();
            true
        });
        self.bytes <= BYTES
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn counts_compressed_bytes() {
        let mut size = Size::new();
        for _ in 0..20_000 {
            assert!(size.add(&[b'a'; 1_000]), "20 MB that compress well");
        }
        let mut size = Size::new();
        let random = |number: u32| Sha256::digest(number.to_le_bytes()).to_vec();
        let added = (0..).take_while(|&number| size.add(&random(number))).count();
        // Hashes do not compress.
        assert!((9_000_000..9_200_000).contains(&(added * 32)), "{added}");
    }
}
