import pg from 'pg'
import { randomUUID } from '../../base/randomness.ts'
import { StoreUnusable } from '../engine.ts'
import { errorOf, isFromServer } from './faults.ts'
import { probeLimitMs } from './server.ts'

/**
 * Throws if a pooler gives each transaction another connection of the server (`pool_mode` `transaction` or `statement` of
 * PgBouncer). The gateway's settings of a connection would be lost there or reach other clients, `synchronous_commit` among
 * them, and with it calls that got a response.
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  // Longer than usual: no call waits for a start, and one that fails costs more.
  const first = connect(url, firstLimitMs)
  const second = connect(url)
  try {
    await first.connect().catch(failed)
    const hasSecond = await second.connect().then(
      () => true,
      () => false,
    )
    const mark = randomUUID()
    // In a transaction, which a pooler in statement mode refuses.
    await first.query('BEGIN').catch(asStatementMode)
    const before = await first
      .query(`SELECT set_config('gateway.session', $1, false), ${pidColumn}`, [mark])
      .catch(failed)
    await first.query('COMMIT').catch(failed)
    const { pid } = before.rows[0]
    // No connection to spare: the first client has its own.
    if (!hasSecond) return
    for (let round = 0; round < rounds; round += 1) {
      // The first client is idle now: in transaction mode the second one gets its connection.
      const taken = await takeConnection(second)
      const after = await first.query(`SELECT ${keptColumn}, ${pidColumn}`, [mark]).catch(failed)
      if (taken === pid || after.rows[0].pid !== pid || after.rows[0].isKept !== true) throw notASession()
      await second.query('COMMIT').catch(() => {})
    }
  } finally {
    // Not awaited: a server that vanished never confirms.
    for (const client of [first, second]) void client.end().catch(() => {})
  }
}

const firstLimitMs = 5000

/** Several, because other clients of a busy pooler may take the connection in between. */
const rounds = 3

const pidColumn = 'pg_backend_pid() AS pid'
const keptColumn = `current_setting('gateway.session', true) = $1 AS "isKept"`

/** Opens a transaction, so that the connection stays taken. Null if the pooler has none to spare. */
async function takeConnection(client: pg.Client): Promise<number | null> {
  try {
    await client.query('BEGIN')
    return (await client.query(`SELECT ${pidColumn}`)).rows[0].pid
  } catch {
    return null
  }
}

function connect(connectionString: string, connectionTimeoutMillis = probeLimitMs): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: 'api-relay-gateway probe',
    connectionTimeoutMillis,
    query_timeout: probeLimitMs,
  })
  client.on('error', () => {})
  return client
}

/** PostgreSQL itself never refuses to begin a transaction. */
function asStatementMode(error: unknown): never {
  throw isFromServer(error) ? notASession(error) : errorOf(error, 'read')
}

function failed(error: unknown): never {
  throw errorOf(error, 'read')
}

const notASession = (cause?: unknown) =>
  new StoreUnusable(
    'DATABASE_URL: leads to a pooler that does not keep sessions, such as PgBouncer with pool_mode = transaction. Set pool_mode = session for this database, or connect to PostgreSQL directly.',
    { cause },
  )
