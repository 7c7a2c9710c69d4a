//! Bytes inside a URI, as base 64 (RFC 2397, RFC 4648).

use std::borrow::Cow;

use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};

/// Exporters leave the padding out, and bits behind the last byte set.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// With padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    GeneralPurpose::new(&STANDARD, LENIENT).encode(bytes)
}

/// With or without padding, by the standard's alphabet or the one for names of files; white space passes. The place of
/// the first wrong byte on failure: the end where bytes are missing.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let bare: Cow<'_, [u8]> = if text.iter().any(u8::is_ascii_whitespace) {
        let letters = text.iter().filter(|b| !b.is_ascii_whitespace());
        letters.copied().collect()
    } else {
        text.into()
    };
    let alphabet = if memchr::memchr2(b'-', b'_', &bare).is_some() {
        &URL_SAFE
    } else {
        &STANDARD
    };
    GeneralPurpose::new(alphabet, LENIENT)
        .decode(&bare)
        .map_err(|e| {
            let wrong = match e {
                base64::DecodeError::InvalidByte(at, _)
                | base64::DecodeError::InvalidLastSymbol(at, _) => at,
                base64::DecodeError::InvalidLength(_) | base64::DecodeError::InvalidPadding => {
                    return text.len();
                }
            };
            let mut letters = (0..text.len()).filter(|&at| !text[at].is_ascii_whitespace());
            letters.nth(wrong).unwrap_or(text.len())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exporters_write_is_read() {
        let bytes: Vec<u8> = (0..=255).collect();
        let plain = encode(&bytes);
        let url = plain.replace('+', "-").replace('/', "_");
        let wrapped = plain.replace('B', "B\r\n ");
        let bare = plain.trim_end_matches('=');
        assert!(plain.ends_with("/w=="));
        for text in [&plain, &url, &wrapped, bare] {
            assert_eq!(decode(text.as_bytes()).as_ref(), Ok(&bytes), "{text}");
        }
        // Bits that no byte needs.
        assert_eq!(decode(b"Zh"), Ok(b"f".to_vec()));
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        assert_eq!(decode(b"Zm 9*"), Err(4));
        assert_eq!(decode(b"Zm9vY"), Err(5));
        assert_eq!(decode(b"Zg==Zg=="), Err(2));
        assert_eq!(decode(b"+_9v"), Err(0));
    }
}
