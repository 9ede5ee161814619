//! The devices of the process.

use std::ffi::{CStr, c_int};

use blas_api::{Backend, Device, DeviceId, Error, Result};
use hipblas_abi::hip::{PROPERTIES_OLD, PROPERTIES_R0600, PropertyLayout, error};

use crate::Hip;
use crate::library::Library;
use crate::status;

/// The number of a device as HIP takes it. What is beyond `c_int` is no device's, and neither is -1.
pub(crate) fn ordinal(device: DeviceId) -> c_int {
    c_int::try_from(device.index).unwrap_or(-1)
}

impl Library {
    /// Number of devices, at least one.
    ///
    /// # Errors
    /// [`Error::NoDevice`] with what was loaded if there is none.
    pub fn device_count(&self) -> Result<usize> {
        let mut count: c_int = 0;
        // SAFETY: writes one int.
        let answer = unsafe { self.hip.hipGetDeviceCount("devices", &mut count) };
        let none = |why: &str| {
            let versions: Vec<String> = self.versions().iter().map(|(k, v)| format!("{k} {v}")).collect();
            Error::NoDevice {
                name: Hip::NAME.to_owned(),
                why: format!("hipGetDeviceCount {why}; loaded: {}", versions.join(", ")),
            }
        };
        match answer {
            Ok(()) => usize::try_from(count).ok().filter(|&n| n > 0).ok_or_else(|| none("found 0")),
            Err(e) if status::is_hip(&e, error::NO_DEVICE) => {
                // HIP 7 keeps an error until it is read, where other code in the process would find it.
                // SAFETY: no arguments.
                let _ = unsafe { self.hip.hipGetLastError("devices") };
                Err(none("returned hipErrorNoDevice (100)"))
            }
            Err(e) => Err(e),
        }
    }

    /// The identity of device number `index`, if there is one.
    pub(crate) fn device_id(&self, index: usize) -> Result<DeviceId> {
        let count = self.device_count()?;
        if index < count {
            return Ok(DeviceId { backend: Hip::NAME, index });
        }
        let name = format!("{}:{index}", Hip::NAME);
        Err(Error::NoDevice { name, why: format!("there are {count}, numbered from 0") })
    }

    /// What is known of each device.
    pub fn devices(&self) -> Result<Vec<Device>> {
        (0..self.device_count()?).map(|i| self.describe(self.device_id(i)?)).collect()
    }

    fn describe(&self, id: DeviceId) -> Result<Device> {
        let mut device: c_int = 0;
        let mut name = [0; 256];
        let mut memory = 0;
        // SAFETY: each writes what its type says, and the name at most 256 bytes.
        unsafe {
            self.hip.hipDeviceGet("devices", &mut device, ordinal(id))?;
            self.hip.hipDeviceGetName("devices", name.as_mut_ptr(), 256, device)?;
            self.hip.hipDeviceTotalMem("devices", &mut memory, device)?;
        }
        let mut found = Device::new(id, text(&name.map(|c| c.cast_unsigned())));
        found.memory = u64::try_from(memory).ok();
        found.arch = self.arch(id)?;
        found.versions = self.releases();
        Ok(found)
    }

    /// Architecture of a device, as `gfx90a`: what `gcnArchName` has before its first colon.
    pub(crate) fn arch(&self, id: DeviceId) -> Result<String> {
        /// Larger than any struct so far, and aligned as they are.
        #[repr(align(16))]
        struct Room([u8; 4096]);
        let mut room = Room([0; 4096]);
        let p = room.0.as_mut_ptr().cast();
        // The old name fills the old struct in every release, so the new one is asked first.
        // SAFETY: the room is larger than either struct.
        let layout: &PropertyLayout =
            match unsafe { self.hip.hipGetDevicePropertiesR0600("devices", p, ordinal(id)) } {
                Ok(()) => &PROPERTIES_R0600,
                Err(Error::Load { .. }) => {
                    // SAFETY: as above.
                    unsafe { self.hip.hipGetDeviceProperties("devices", p, ordinal(id)) }?;
                    &PROPERTIES_OLD
                }
                Err(e) => return Err(e),
            };
        let arch = text(&room.0[layout.gcn_arch_name..][..256]);
        Ok(arch.split(':').next().unwrap_or_default().to_owned())
    }
}

/// A C string in a field of fixed size.
fn text(field: &[u8]) -> String {
    CStr::from_bytes_until_nul(field).map_or_else(|_| String::new(), |s| s.to_string_lossy().into_owned())
}
