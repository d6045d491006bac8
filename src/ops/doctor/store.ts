import type { StoreFacts } from '../../storage/store-facts.ts'
import type { OutdatedCounts } from '../secrets.ts'
import { type Finding, findingsOf } from './finding.ts'

export interface CheckedStore {
  readonly check: () => Promise<void>
  readonly facts: () => Promise<StoreFacts>
  /** Rejects with `SecretUnusable` if the store was written with another secret. */
  readonly outdatedSecrets: () => Promise<OutdatedCounts>
  /** Why the public log cannot be signed; null if it can. */
  readonly transparencyFault: () => Promise<string | null>
  /** Witnesses that have not cosigned the newest cosigned checkpoint. */
  readonly silentWitnesses: () => Promise<readonly string[]>
}

/** Checks that the store is writable, undamaged, migrated and durable, and that its clock agrees with this machine's. */
export async function checkStore({ check, facts }: CheckedStore, clock: () => number): Promise<Finding[]> {
  const store = findingsOf('store')
  try {
    await check()
  } catch (error) {
    return [
      store.failure((error as Error).message, 'Check that its disk has space and that no other program locks it.'),
    ]
  }
  const askedAt = clock()
  const { name, damage, schema, durability, replication, clockMs, newestMs } = await facts()
  const receivedAt = clock()
  return [
    damage === null
      ? store.ok(`${name} responds and is writable`)
      : store.failure(`it is damaged: ${damage}`, 'Stop the gateway and restore the store from a backup.'),
    schemaFinding(schema),
    ...durabilityFindings(durability),
    ...(replication ? [replicationFinding(replication)] : []),
    ...clockFindings([
      {
        gapMs: clockMs === null ? 0 : Math.max(askedAt - clockMs, clockMs - receivedAt),
        what: "away from the database's clock",
      },
      { gapMs: newestMs === null ? 0 : newestMs - receivedAt, what: 'behind the newest charge' },
    ]),
  ]
}

/** After a restore of an older copy, the log is not the one whose checkpoints payers hold. */
export async function checkTransparency({
  transparencyFault,
  silentWitnesses,
}: Pick<CheckedStore, 'transparencyFault' | 'silentWitnesses'>): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf('transparency')
  const fault = await transparencyFault()
  if (fault === null) {
    const silent = await silentWitnesses()
    const advice = 'Check its address and that it knows the key of this log; the gateway log shows its responses.'
    return [
      ok('the log continues what was published'),
      ...silent.map((name) => warning(`the witness ${name} did not cosign the newest cosigned checkpoint`, advice)),
    ]
  }
  const remedy = 'Restore the newest copy, or announce it: npm run gateway -- transparency fork --reason TEXT'
  return [failure(`nothing is signed: ${fault}`, remedy)]
}

/** A store that this program cannot serve is not even opened. */
function schemaFinding({ version, name, known, missing }: StoreFacts['schema']): Finding {
  const { ok, warning } = findingsOf('schema')
  if (missing > 0) {
    return warning(
      `is at version ${version} (${name}), which this program can serve; it knows version ${known}`,
      'Run npm run gateway -- migrate.',
    )
  }
  if (version > known) {
    return warning(
      `is at version ${version} (${name}), which this program can serve, although it knows only version ${known}`,
      'Upgrade this gateway.',
    )
  }
  return ok(`is at version ${version} (${name}), the newest that this program knows`)
}

function durabilityFindings(settings: StoreFacts['durability']): Finding[] {
  const { ok, failure } = findingsOf('durability')
  const unsafe = settings.filter(({ isSafe }) => !isSafe)
  if (unsafe.length === 0) return [ok(settings.map(({ setting, value }) => `${setting} is ${value}`).join(', '))]
  return unsafe.map(({ setting, value }) =>
    failure(`${setting} is ${value}: a power cut can lose what was committed`, `Turn ${setting} on in the database.`),
  )
}

function replicationFinding({
  isRequired,
  synchronous,
  standbys,
  lagBytes,
}: NonNullable<StoreFacts['replication']>): Finding {
  const { ok, warning, failure } = findingsOf('replication')
  if (!isRequired) {
    return warning(
      `commits wait for no standby (${standbys} connected): losing the database's machine loses its last commits`,
      'Set synchronous_standby_names; see docs/operations.md.',
    )
  }
  if (synchronous === null) {
    return warning('the state of the standbys is not visible', "Grant pg_monitor to the gateway's user.")
  }
  if (synchronous === 0) {
    return failure(
      'commits wait for a synchronous standby, and none is connected',
      'Bring it back; until then, calls fail with 500.',
    )
  }
  return ok(`${synchronous} synchronous standby connected, ${lagBytes ?? 0} bytes behind`)
}

const warnAfterMs = 5000
const failAfterMs = 60_000

/** A wrong clock breaks rate limits, sessions and leases, but not the books. */
function clockFindings(measured: { gapMs: number; what: string }[]): Finding[] {
  const { ok, warning, failure } = findingsOf('clock')
  const gaps = measured.filter(({ gapMs }) => gapMs > warnAfterMs)
  if (gaps.length === 0) return [ok('agrees with the store')]
  return gaps.map(({ gapMs, what }) =>
    (gapMs > failAfterMs ? failure : warning)(
      `this machine is ${Math.round(gapMs / 1000)} s ${what}`,
      'Synchronize the clock with NTP.',
    ),
  )
}
