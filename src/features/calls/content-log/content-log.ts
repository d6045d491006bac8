import { sortableIdFloor, timeOfSortableId } from '../../../base/ids.ts'
import { type Keyring, type Sealed, SealUnusable } from '../../../base/keyring.ts'
import { dayMs, isoOf } from '../../../base/time.ts'
import type { CallContent } from '../../../relay/call.ts'
import type { Engine } from '../../../storage/engine.ts'
import { type CallContents, contentDays, maxContentBytes } from './contract.ts'

/** Contents of one charge do not open as those of another. */
export const contentContext = (chargeId: string): string => `content ${chargeId}`

type KeptContent = Pick<CallContents, 'request' | 'response' | 'status'>

const keptMs = contentDays * dayMs

/** Request and response of calls. The batch that ends a charge writes it, so that it costs no commit of its own. */
export function createContentLog({
  engine,
  keyring,
  clock,
}: {
  engine: Engine
  keyring: Keyring
  clock: () => number
}) {
  return {
    seal(chargeId: string, { request, response, status }: CallContent): Sealed {
      const content: KeptContent = { request: cut(request), response: cut(response), status }
      return keyring.seal(contentContext(chargeId), JSON.stringify(content))
    },
    /** Undefined if nothing is kept, or not for this project. */
    async find(projectId: string, chargeId: string): Promise<CallContents | undefined> {
      const reservedAt = timeOfSortableId(chargeId)
      // Not shown any longer, even if the task that deletes it has not run yet.
      if (reservedAt === undefined || reservedAt + keptMs <= clock()) return undefined
      const sealed = await engine.read((tx) => tx.get<Sealed>(selectContent, [chargeId, projectId]))
      const opened = sealed && open(chargeId, sealed)
      return opened && { chargeId, ...opened, keptUntil: isoOf(reservedAt + keptMs) }
    },
    /** Deletes contents that are too old; returns how many. */
    prune: (limit: number): Promise<number> =>
      engine.write((tx) => tx.run(deleteOld, [sortableIdFloor('chg', clock() - keptMs + 1), limit])),
  }

  function open(chargeId: string, sealed: Sealed): KeptContent | undefined {
    try {
      return JSON.parse(keyring.open(contentContext(chargeId), sealed)) as KeptContent
    } catch (error) {
      if (error instanceof SealUnusable) return undefined
      throw error
    }
  }
}

const selectContent =
  'SELECT sealed, key_version AS "keyVersion" FROM charge_contents WHERE charge_id = $1 AND project_id = $2'

/** Ids of charges sort by time. */
const deleteOld = `DELETE FROM charge_contents WHERE charge_id IN (
  SELECT charge_id FROM charge_contents WHERE charge_id < $1 ORDER BY charge_id LIMIT $2)`

/** The beginning of a text, without half a character at its end. */
function cut(text: string): CallContents['request'] {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxContentBytes) return { text, bytes, isCut: false }
  const buffer = Buffer.from(text)
  let end = maxContentBytes
  // Bytes of this form continue a character.
  while ((buffer[end]! & 0xc0) === 0x80) end -= 1
  return { text: buffer.toString('utf8', 0, end), bytes, isCut: true }
}
