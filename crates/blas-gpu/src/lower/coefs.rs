//! Coefficients in the place that a call takes all of them from.

use std::ffi::c_void;

use blas_api::*;

use crate::GpuHandle;

/// Room for the largest coefficient, aligned for it.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Value([u8; 16]);

/// The coefficients of a call: all on the host, or all on the device if one of them is there.
pub(crate) struct Coefs<const N: usize> {
    host: [Value; N],
    device: Option<[*const u8; N]>,
}

impl<const N: usize> Coefs<N> {
    /// Brings the coefficients, each with its type, to one side, and sets the handle's pointer mode to it.
    pub(crate) fn new(h: &impl GpuHandle, coefs: [(RawScalar, DType); N]) -> Result<Self> {
        let host = coefs.map(|(value, dtype)| match value {
            RawScalar::Host(parts) => encode(parts, dtype),
            RawScalar::Device(_) => Value([0; 16]),
        });
        if !coefs.iter().any(|(value, _)| matches!(value, RawScalar::Device(_))) {
            h.pointer_mode(Location::Host)?;
            return Ok(Coefs { host, device: None });
        }
        let bytes: Vec<u8> = host.iter().flat_map(|v| v.0).collect();
        let copy = h.upload_async(&bytes)?;
        let mut at = [std::ptr::null(); N];
        for (i, (value, _)) in coefs.into_iter().enumerate() {
            at[i] = match value {
                RawScalar::Host(_) => copy.wrapping_add(i * size_of::<Value>()).cast_const(),
                RawScalar::Device(p) => p,
            };
        }
        h.pointer_mode(Location::Device)?;
        Ok(Coefs { host, device: Some(at) })
    }

    /// Pointer to coefficient `i`, valid as long as this is.
    pub(crate) fn at(&self, i: usize) -> *const c_void {
        match &self.device {
            Some(at) => at[i].cast(),
            None => self.host[i].0.as_ptr().cast(),
        }
    }
}

/// A coefficient in its type.
fn encode([re, im]: [f64; 2], dtype: DType) -> Value {
    let mut value = Value([0; 16]);
    let mut put = |at: usize, bytes: &[u8]| value.0[at..at + bytes.len()].copy_from_slice(bytes);
    match dtype {
        DType::F32 => put(0, &(re as f32).to_ne_bytes()),
        DType::F64 => put(0, &re.to_ne_bytes()),
        DType::C32 => {
            put(0, &(re as f32).to_ne_bytes());
            put(4, &(im as f32).to_ne_bytes());
        }
        DType::C64 => {
            put(0, &re.to_ne_bytes());
            put(8, &im.to_ne_bytes());
        }
        DType::F16 => put(0, &f16::from_f64(re).to_ne_bytes()),
        DType::BF16 => put(0, &bf16::from_f64(re).to_ne_bytes()),
        _ => put(0, &(re as i32).to_ne_bytes()),
    }
    value
}

/// A number in device memory.
pub(crate) fn constant(h: &impl GpuHandle, value: f64, dtype: DType) -> Result<*mut u8> {
    constants(h, &[value], dtype)
}

/// Real numbers in device memory, one after the other.
pub(crate) fn constants(h: &impl GpuHandle, values: &[f64], dtype: DType) -> Result<*mut u8> {
    let size = dtype.size();
    let bytes: Vec<u8> =
        values.iter().flat_map(|&v| encode([v, 0.0], dtype).0.into_iter().take(size)).collect();
    h.upload_async(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_have_the_bytes_of_their_type() {
        let bytes = |dtype| encode([-2.5, 0.75], dtype).0;
        assert_eq!(bytes(DType::F32)[..4], (-2.5f32).to_ne_bytes());
        assert_eq!(bytes(DType::F64)[..8], (-2.5f64).to_ne_bytes());
        assert_eq!(bytes(DType::C32)[..8], [(-2.5f32).to_ne_bytes(), 0.75f32.to_ne_bytes()].concat());
        assert_eq!(bytes(DType::C64)[..16], [(-2.5f64).to_ne_bytes(), 0.75f64.to_ne_bytes()].concat());
        assert_eq!(bytes(DType::F16)[..2], f16::from_f32(-2.5).to_ne_bytes());
        assert_eq!(bytes(DType::BF16)[..2], bf16::from_f32(-2.5).to_ne_bytes());
        assert_eq!(encode([-7.0, 0.0], DType::I32).0[..4], (-7i32).to_ne_bytes());
    }
}
