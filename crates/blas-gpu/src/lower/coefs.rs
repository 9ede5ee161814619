//! Coefficients in the place that a call takes all of them from.

use std::ffi::c_void;

use blas_api::*;

use crate::GpuHandle;

/// Room for the largest coefficient, aligned for it: its bytes, and then zeros.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Value([u64; 2]);

/// The coefficients of a call: all on the host, or all on the device if one of them is there.
pub(crate) struct Coefs<const N: usize> {
    host: [Value; N],
    device: Option<[*const u8; N]>,
}

impl<const N: usize> Coefs<N> {
    /// Brings the coefficients, each with its type, to one side, and sets the handle's pointer mode to it.
    #[inline]
    pub(crate) fn new(h: &impl GpuHandle, coefs: [(RawScalar, DType); N]) -> Result<Self> {
        let host = coefs.map(|(value, dtype)| match value {
            RawScalar::Host(parts) => encode(parts, dtype),
            RawScalar::Device(_) => Value([0; 2]),
        });
        let device = if coefs.iter().any(|(value, _)| matches!(value, RawScalar::Device(_))) {
            Some(Self::on_device(h, &host, &coefs)?)
        } else {
            h.pointer_mode(Location::Host)?;
            None
        };
        Ok(Coefs { host, device })
    }

    fn on_device(
        h: &impl GpuHandle,
        host: &[Value; N],
        coefs: &[(RawScalar, DType); N],
    ) -> Result<[*const u8; N]> {
        let bytes: Vec<u8> = host.iter().flat_map(|v| v.bytes()).collect();
        let copy = h.upload_async(&bytes)?;
        let mut at = [std::ptr::null(); N];
        for (i, (value, _)) in coefs.iter().enumerate() {
            at[i] = match value {
                RawScalar::Host(_) => copy.wrapping_add(i * size_of::<Value>()).cast_const(),
                RawScalar::Device(p) => *p,
            };
        }
        h.pointer_mode(Location::Device)?;
        Ok(at)
    }

    /// Pointer to coefficient `i`, valid as long as this is.
    pub(crate) fn at(&self, i: usize) -> *const c_void {
        match &self.device {
            Some(at) => at[i].cast(),
            None => (&raw const self.host[i]).cast(),
        }
    }
}

impl Value {
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for (to, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            to.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }
}

/// A coefficient in its type. Made of whole words, since a call waits for bytes that are put together in memory.
#[inline]
fn encode([re, im]: [f64; 2], dtype: DType) -> Value {
    let half = |[a, b]: [u8; 2]| u64::from_ne_bytes([a, b, 0, 0, 0, 0, 0, 0]);
    let word = |[a, b, c, d]: [u8; 4]| u64::from_ne_bytes([a, b, c, d, 0, 0, 0, 0]);
    let pair = |[a, b, c, d]: [u8; 4], [e, f, g, h]: [u8; 4]| u64::from_ne_bytes([a, b, c, d, e, f, g, h]);
    Value(match dtype {
        DType::F32 => [word((re as f32).to_ne_bytes()), 0],
        DType::F64 => [re.to_bits(), 0],
        DType::C32 => [pair((re as f32).to_ne_bytes(), (im as f32).to_ne_bytes()), 0],
        DType::C64 => [re.to_bits(), im.to_bits()],
        DType::F16 => [half(f16::from_f64(re).to_ne_bytes()), 0],
        DType::BF16 => [half(bf16::from_f64(re).to_ne_bytes()), 0],
        _ => [word((re as i32).to_ne_bytes()), 0],
    })
}

/// A number in device memory.
pub(crate) fn constant(h: &impl GpuHandle, value: f64, dtype: DType) -> Result<*mut u8> {
    constants(h, &[value], dtype)
}

/// Real numbers in device memory, one after the other.
pub(crate) fn constants(h: &impl GpuHandle, values: &[f64], dtype: DType) -> Result<*mut u8> {
    let size = dtype.size();
    let bytes: Vec<u8> =
        values.iter().flat_map(|&v| encode([v, 0.0], dtype).bytes().into_iter().take(size)).collect();
    h.upload_async(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_have_the_bytes_of_their_type() {
        let bytes = |dtype| encode([-2.5, 0.75], dtype).bytes();
        assert_eq!(bytes(DType::F32)[..4], (-2.5f32).to_ne_bytes());
        assert_eq!(bytes(DType::F64)[..8], (-2.5f64).to_ne_bytes());
        assert_eq!(bytes(DType::C32)[..8], [(-2.5f32).to_ne_bytes(), 0.75f32.to_ne_bytes()].concat());
        assert_eq!(bytes(DType::C64)[..16], [(-2.5f64).to_ne_bytes(), 0.75f64.to_ne_bytes()].concat());
        assert_eq!(bytes(DType::F16)[..2], f16::from_f32(-2.5).to_ne_bytes());
        assert_eq!(bytes(DType::BF16)[..2], bf16::from_f32(-2.5).to_ne_bytes());
        assert_eq!(encode([-7.0, 0.0], DType::I32).bytes()[..4], (-7i32).to_ne_bytes());
    }
}
