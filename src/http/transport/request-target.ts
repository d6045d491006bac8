/** True for a clean origin-form path: one leading slash, nothing that another hop could read as another path. */
export function isSafeTarget(target: string): boolean {
  if (!plainTarget.test(target)) return false
  const path = target.split('?', 1)[0]!
  return !suspicious.test(path) || path.split('/').every(isSafeSegment)
}

/** Printable ASCII without backslash and fragment; not two slashes at the start, which name a host. */
const plainTarget = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/
/** Escapes and dot segments, which need a closer look. */
const suspicious = /%|\/\./

/** Judged as decoded: separators, control characters and dot segments stay unsafe when they are escaped. */
function isSafeSegment(segment: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    return false
  }
  if (/[\u0000-\u001f\u007f-\u009f/\\?#]/.test(decoded)) return false
  // Some servers cut a segment at the semicolon before they resolve dots.
  const name = decoded.split(';', 1)[0]
  return name !== '.' && name !== '..'
}
