/** The names in a header such as Accept-Encoding with their weights, in lower case; what is malformed is left out. */
export function parseWeights(value: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of value.split(',')) {
    const match = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i.exec(part)
    if (match) weights.set(match[1]!.toLowerCase(), Number(match[2] ?? 1))
  }
  return weights
}
