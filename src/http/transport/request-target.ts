/** Whether the target is an origin-form path that every proxy and server reads the same way. */
export function isSafeTarget(target: string): boolean {
  if (!plainTarget.test(target)) return false
  const path = target.split('?', 1)[0]!
  return !suspicious.test(path) || path.split('/').every(isSafeSegment)
}

/** Printable ASCII without backslash or fragment; no leading `//`, which names a host. */
const plainTarget = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/
/** Percent escapes and possible dot segments need a closer look. */
const suspicious = /%|\/\./

/** Checks the decoded segment: separators, control characters and dot segments are unsafe even when escaped. */
function isSafeSegment(segment: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    return false
  }
  if (/[\u0000-\u001f\u007f-\u009f/\\?#]/.test(decoded)) return false
  // Some servers cut a segment at the semicolon before resolving dots.
  const name = decoded.split(';', 1)[0]
  return name !== '.' && name !== '..'
}
