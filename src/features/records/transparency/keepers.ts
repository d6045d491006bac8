import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { monotonicMs } from '../../../base/clock.ts'
import { randomBase62 } from '../../../base/ids.ts'
import { createDurably } from '../../../base/secret-file.ts'
import { syncDirectory } from '../../../base/sync-directory.ts'
import { dayMs, hourMs, minuteMs } from '../../../base/time.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import type { EngineKind } from '../../../storage/schema/sql-dialects.ts'
import { databaseMs } from '../../../storage/sql-text.ts'
import { serverIdentity } from '../../../storage/store-facts.ts'

/** A data directory that keeps a checkpoint, as others know it. */
export interface Keeper {
  readonly host: string
  readonly seenAt: number
}

export interface KeeperCheckDeps {
  readonly engine: Pick<Engine, 'read' | 'write'> & { readonly kind: EngineKind }
  readonly dataDir: string
  readonly host?: string
  /** How the database server names itself; replaced in tests. */
  readonly readServer?: (tx: Reader) => Promise<string | null>
  readonly onWaiting?: (keepers: readonly Keeper[]) => void
}

/** How long an instance may have been away and still know the newest checkpoint after a failover. */
const longestAwayMs = 10 * minuteMs

/**
 * After a change of the database server, nothing is signed before every instance of the last day has compared its kept checkpoint with
 * the store: a restored store may be older than what one of them has published. An instance that ran through a failover has kept one as
 * new as any other's, so its check is enough.
 */
export function createKeeperCheck({ engine, dataDir, host = hostname(), ...given }: KeeperCheckDeps) {
  const { readServer = (tx: Reader) => keepersServer(tx, engine.kind), onWaiting } = given
  /** The server on which this instance last found everything in order. */
  let passed: { readonly server: string; at: number } | null = null
  let recorded: { readonly server: string; readonly at: number } | null = null
  let keeperId: string | null = null

  return {
    readServer,
    /** Records that this instance has compared its checkpoint on a server. True if the others have, too. */
    async mayFollow(server: string | null): Promise<boolean> {
      if (server === null) return true
      const at = monotonicMs()
      const isDue = recorded?.server !== server || at - recorded.at >= hourMs
      if (passed?.server === server && !isDue) {
        passed.at = at
        return true
      }
      keeperId ??= await ownKeeperId(dataDir)
      const own = { keeperId, host, server }
      if (isDue) {
        const vouchesFor = passed && at - passed.at < longestAwayMs && isFailover(passed.server, server)
        const before = vouchesFor ? passed!.server : null
        await engine.write((tx) => checkIn(tx, engine.kind, own, before))
        recorded = { server, at }
      }
      const waiting = await engine.read((tx) => uncheckedKeepers(tx, own))
      if (waiting.length === 0) passed = { server, at }
      else if (isDue) onWaiting?.(waiting)
      return waiting.length === 0
    },
  }
}

export type KeeperCheck = ReturnType<typeof createKeeperCheck>

/** Where this store's rows about keepers are. A restored table has another id, even on the same server. */
export const keepersServer = (tx: Reader, kind: EngineKind): Promise<string | null> =>
  serverIdentity(tx, kind, 'transparency_keepers')

/** A promotion changes only the timeline, the second word. */
const isFailover = (before: string, after: string): boolean =>
  before !== after && withoutTimeline(before) === withoutTimeline(after)
const withoutTimeline = (server: string) => server.replace(/ \S+/, '')

interface OwnKeeper {
  readonly keeperId: string
  readonly host: string
  readonly server: string
}

async function checkIn(tx: Writer, kind: EngineKind, own: OwnKeeper, vouchedFor: string | null): Promise<void> {
  const { keeperId, host, server } = own
  if (vouchedFor !== null) {
    await tx.run('UPDATE transparency_keepers SET server = $2 WHERE server = $1', [vouchedFor, server])
  }
  await tx.run(deleteOld, [dayMs])
  await tx.run(
    `INSERT INTO transparency_keepers (keeper_id, host, server, seen_at) VALUES ($1, $2, $3, ${databaseMs[kind]})
    ON CONFLICT (keeper_id) DO UPDATE SET host = excluded.host, server = excluded.server, seen_at = excluded.seen_at`,
    [keeperId, host, server],
  )
}

/** By the last day of each server: a restored copy may be older than a day. */
const deleteOld = `DELETE FROM transparency_keepers WHERE seen_at <
  (SELECT MAX(k.seen_at) FROM transparency_keepers k WHERE k.server = transparency_keepers.server) - $1`

const uncheckedKeepers = (tx: Reader, { server, keeperId }: Omit<OwnKeeper, 'host'>): Promise<Keeper[]> =>
  tx.all<Keeper>(
    `SELECT host, seen_at AS "seenAt" FROM transparency_keepers WHERE server <> $1 AND keeper_id <> $2
    ORDER BY host, keeper_id LIMIT 100`,
    [server, keeperId],
  )

/** Other instances that have not compared their checkpoints on this server. */
export async function keepersNotChecked(
  engine: Pick<Engine, 'read'> & { readonly kind: EngineKind },
  dataDir: string,
): Promise<readonly Keeper[]> {
  return engine.read(async (tx) => {
    const server = await keepersServer(tx, engine.kind)
    return server === null ? [] : uncheckedKeepers(tx, { server, keeperId: readKeeperId(dataDir) ?? '' })
  })
}

/** An operator vouches for the instances that have not checked. Returns the instances that are no longer waited for. */
export async function waiveKeepers(tx: Writer, server: string | null): Promise<readonly Keeper[]> {
  if (server === null) return []
  const waived = await uncheckedKeepers(tx, { server, keeperId: '' })
  await tx.run('UPDATE transparency_keepers SET server = $1 WHERE server <> $1', [server])
  return waived
}

const keeperFile = (dataDir: string): string => join(dataDir, 'transparency', 'keeper')

function readKeeperId(dataDir: string): string | null {
  try {
    return readFileSync(keeperFile(dataDir), 'utf8').trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Of the data directory, because the checkpoint is kept there and instances get a new id with each start. */
async function ownKeeperId(dataDir: string): Promise<string> {
  const known = readKeeperId(dataDir)
  if (known) return known
  const file = keeperFile(dataDir)
  if (await mkdir(dirname(file), { recursive: true, mode: 0o700 })) await syncDirectory(dataDir)
  await createDurably(file, randomBase62(22))
  return readKeeperId(dataDir)!
}
