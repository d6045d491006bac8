import { type FoundSource, foundById, foundIn, type LookedUpRow } from '../../../operator-kit/found.ts'
import type { Reader } from '../../../storage/engine.ts'

const columns = { kind: 'key', id: 'key_id', label: 'COALESCE(name, display_prefix)' } as const
const keys = foundIn('api_keys', columns)

export const foundKeyIds: readonly FoundSource[] = [foundById('key', 'api_keys', columns)]

/** By the start of a key, as far as it is displayed. */
export const foundKeys = (tx: Reader, prefix: string, limit: number): Promise<LookedUpRow[]> =>
  // The last character of all ends the range, so that the index is used.
  keys(tx, 'WHERE display_prefix >= $1 AND display_prefix < $2 ORDER BY display_prefix LIMIT $3', [
    ...[prefix, `${prefix}\u{10ffff}`, limit],
  ])
