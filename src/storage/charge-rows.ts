import { chargeColumns } from './charge-columns.ts'
import type { Reader } from './engine.ts'
import { integer, orNull, pick, rowMapper, text } from './row-mapper.ts'

const origins = rowMapper('charges', pick(chargeColumns, 'projectId', 'instanceId', 'leavesProcess'))
const responses = rowMapper('charge_responses', { status: integer(), code: orNull(text()) })

/** Whose call it was, and which instance made it. */
export const originOf = (tx: Reader, chargeId: string) => origins.get(tx, 'WHERE charge_id = $1', [chargeId])

/** What a repeated call gets. */
export const storedResponseOf = (tx: Reader, chargeId: string) => responses.get(tx, 'WHERE charge_id = $1', [chargeId])
