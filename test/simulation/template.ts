import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newId } from '../../src/base/ids.ts'
import { createKeyring } from '../../src/base/keyring.ts'
import { systemRandomness, useRandomness } from '../../src/base/randomness.ts'
import { type Config, loadConfig } from '../../src/config/config.ts'
import { createContacts, createDigests } from '../../src/features/identity/accounts/contacts.ts'
import { createSessions } from '../../src/features/identity/accounts/sessions.ts'
import { createAccountStore } from '../../src/features/identity/accounts/store.ts'
import { checkSecret, createSecretStore } from '../../src/ops/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type Migration, migrations } from '../../src/storage/schema/migrations.ts'
import { addFactor, type FactorOwner } from './lives/factor-owner.ts'
import { Prng } from './prng.ts'
import { silentLogger } from './silent-logger.ts'
import { origins, providerTimeoutMs } from './upstreams.ts'
import type { Versions } from './versions/versions.ts'

export interface Payer {
  readonly accountId: string
  readonly projectId: string
  readonly phone: string
  readonly cookie: string
  readonly csrfToken: string
}

/** A store with its schema and a few people who are signed in. Made once, since every world begins with it. */
export interface Template {
  readonly store: Uint8Array
  readonly payers: readonly Payer[]
  /** Another one, who has a second factor. */
  readonly factorOwner: FactorOwner
  readonly config: Config
  /** What `config` was read from. */
  readonly environment: Readonly<Record<string, string>>
  /** For worlds in which the last release and this version meet. */
  readonly versions?: Versions
  readonly remove: () => void
}

export const origin = 'http://localhost:8787'
export const epoch = Date.UTC(2026, 8, 3, 8)
export const secret = 'the secret of the simulation, 32 bytes or more'
const payerCount = 4

/** With fewer migrations it is the store of an older version. */
export async function createTemplate(known: readonly Migration[] = migrations): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-simulation-'))
  const random = new Prng(0, 9)
  useRandomness({ fill: (bytes) => random.fill(bytes) })
  try {
    const file = join(folder, 'store.sqlite')
    const engine = await openStore({
      databaseUrl: `sqlite:${file}`,
      dataDir: folder,
      exclusive: true,
      clock: () => epoch,
      logger: silentLogger,
      migrations: known,
    })
    const keyring = createKeyring(secret)
    await checkSecret(createSecretStore(engine), keyring, () => epoch)
    const payers: Payer[] = []
    for (let index = 0; index < payerCount; index += 1) payers.push(await addPayer(engine, keyring, index))
    const factorOwner = await addFactor(engine, keyring, await addPayer(engine, keyring, payerCount), epoch)
    await engine.close()
    describeCharges(file)
    const store = readFileSync(file)
    // A file in WAL mode cannot be opened in memory.
    store[18] = 1
    store[19] = 1
    const environment = environmentIn(folder)
    const remove = () => rmSync(folder, { recursive: true, force: true })
    return { store, payers, factorOwner, config: loadConfig(environment), environment, remove }
  } finally {
    useRandomness(systemRandomness)
  }
}

/** Without these figures SQLite looks for open charges among all of the last minutes, which takes a fifteenth of a large world's time. */
function describeCharges(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`ANALYZE sqlite_schema;
    INSERT INTO sqlite_stat1 VALUES ('charges', 'sqlite_autoindex_charges_1', '100000 1'), ('charges', 'charges_reserved', '100 1')`)
  db.close()
}

async function addPayer(
  engine: Awaited<ReturnType<typeof openStore>>,
  keyring: ReturnType<typeof createKeyring>,
  index: number,
): Promise<Payer> {
  const store = createAccountStore(engine)
  const contacts = createContacts(keyring, createDigests(keyring))
  const sessions = createSessions({ store, clock: () => epoch, lifetimeSeconds: 31_536_000 })
  const accountId = newId('acc')
  const projectId = newId('prj')
  const phone = `1380000000${index}`
  const { token, csrfToken } = await store.write(async (tx) => {
    await tx.createAccount({
      accountId,
      name: `Payer ${index}`,
      identitySubject: `idp_${index}`,
      projectId,
      projectName: 'Project',
      recoveryEmail: contacts.email(accountId, `payer${index}@example.com`),
      passwordDigest: 'none',
      phone: contacts.phone(accountId, phone),
      at: epoch,
    })
    return sessions.open(tx, { accountId, projectId })
  })
  return { accountId, projectId, phone, cookie: `gateway_session=${token}`, csrfToken }
}

const upstream = (baseUrl: string) => ({ baseUrl, timeoutMs: providerTimeoutMs, maxConcurrent: 16 })

function environmentIn(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'config.json')
  const settings = {
    models: {
      providers: {
        model_provider_a: {
          adapter: 'openai',
          ...upstream(origins.model),
          models: { fast: 'upstream-fast' },
          breaker: { failures: 5, coolSeconds: 5 },
        },
      },
    },
    shopping: { mode: 'pick-http', cacheSeconds: 0, providers: { [shopName]: upstream(origins.shop) } },
    media: {
      content: 'proxy',
      deadlineSeconds: 60,
      providers: {
        media_provider_a: { adapter: 'http', ...upstream(origins.media), breaker: { failures: 20, coolSeconds: 5 } },
      },
    },
    charges: { resultDays: 30, retentionDays: 35 },
    // Shorter than a provider may take, so that a stop cuts calls off.
    server: { drainMs: 500 },
  }
  writeFileSync(file, JSON.stringify(settings))
  return {
    GATEWAY_ORIGIN: origin,
    GATEWAY_LISTEN: '127.0.0.1:8787',
    GATEWAY_OPERATOR_LISTEN: 'off',
    GATEWAY_DATA_DIR: folder,
    GATEWAY_SECRET: secret,
    GATEWAY_CONFIG: file,
  }
}

export const shopName = 'shop_provider_a'
