const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(\/(3[0-2]|[12]?\d))?$/
const ipv6 = /^[0-9a-f:]*:[0-9a-f:.]*(\/(12[0-8]|1[01]\d|\d?\d))?$/i

/** The first entry that cannot be an address; the gateway judges the others. */
export function wrongAddressIn(text: string): { readonly line: number; readonly entry: string } | null {
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.split(/[\s,，]+/).find((one) => one !== '' && !ipv4.test(one) && !ipv6.test(one))
    if (entry !== undefined) return { line: index + 1, entry }
  }
  return null
}
