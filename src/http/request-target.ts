/** True for a clean origin-form path: one leading slash, nothing that another hop could read as another path. */
export function isSafeTarget(target: string): boolean {
  if (target.charCodeAt(0) !== slash || target.charCodeAt(1) === slash) return false
  let pathEnd = target.length
  let needsCloserLook = false
  for (let i = 1; i < target.length; i++) {
    const char = target.charCodeAt(i)
    if (char <= space || char >= del || char === backslash || char === hash) return false
    if (pathEnd !== target.length) continue
    if (char === question) pathEnd = i
    else if (char === percent || (char === dot && target.charCodeAt(i - 1) === slash)) needsCloserLook = true
  }
  return needsCloserLook ? target.slice(0, pathEnd).split('/').every(isSafeSegment) : true
}

const slash = 0x2f
const backslash = 0x5c
const space = 0x20
const del = 0x7f
const hash = 0x23
const question = 0x3f
const percent = 0x25
const dot = 0x2e

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
