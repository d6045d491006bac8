/** Above any request or answer of the contract. What comes later may then walk a value recursively. */
export const maxJsonDepth = 32

const [quote, backslash] = [34, 92]
const [openArray, openObject, closeArray, closeObject] = [91, 123, 93, 125]

/** Whether JSON text is nested deeper than the limit. Reads the bytes, so that nothing deep is ever built. */
export function isTooDeep(json: Uint8Array): boolean {
  // Every level takes two bytes.
  if (json.length <= 2 * maxJsonDepth) return false
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) {
      isText = true
    } else if (byte === openArray || byte === openObject) {
      depth += 1
      if (depth > maxJsonDepth) return true
    } else if (byte === closeArray || byte === closeObject) {
      depth -= 1
    }
  }
  return false
}
