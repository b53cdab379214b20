/* A replacement for the system library `bcryptprimitives.dll`, which Debian's wine 8 lacks: Rust's standard library takes its random
   bytes from `ProcessPrng` there. .ci/package/compare_platforms.py puts it next to the program under test. No release contains it. */
#include <windows.h>
#include <bcrypt.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return BCryptGenRandom(NULL, data, (ULONG)length, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}
