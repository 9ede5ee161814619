//! Which ABI this library presents.

use std::sync::atomic::{AtomicUsize, Ordering};

use hipblas_abi::Abi;

static ABI: AtomicUsize = AtomicUsize::new(Abi::V3 as usize);

/// The ABI of this library: the newest, until its initialiser says otherwise.
pub(crate) fn current() -> Abi {
    Abi::ALL[ABI.load(Ordering::Relaxed)]
}

macro_rules! initialisers {
    ($($name:ident = $abi:ident),*) => {
        $(
            /// Initialiser of the library that presents this ABI, named by its link.
            #[unsafe(no_mangle)]
            extern "C" fn $name() {
                ABI.store(Abi::$abi as usize, Ordering::Relaxed);
            }
        )*
    };
}
initialisers!(compat_init_0 = V0, compat_init_1 = V1, compat_init_2 = V2, compat_init_3 = V3);
