import type { HeaderValue } from '../route.ts'
import { parseWeights } from './weights.ts'

/** The server's taste where the client has none: the smaller first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The coding the client likes best; null for none. What it cannot be given is sent plain rather than refused. */
export function chooseCoding(acceptEncoding: HeaderValue, offered: readonly Coding[] = codings): Coding | null {
  if (acceptEncoding === 'absent' || acceptEncoding === 'repeated') return null
  const weights = parseWeights(acceptEncoding.value)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = offered.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  // Plain is always welcome, though least of all unless the client says otherwise.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}
