import type { Config } from '../../../src/config/config.ts'
import * as ownErrors from '../../../src/storage/engine.ts'
import type { OpenedEngine } from '../../../src/storage/open-store.ts'
import * as ownSchema from '../../../src/storage/schema/migrate.ts'
import { type Migration, migrations } from '../../../src/storage/schema/migrations.ts'
import { applyBatch } from '../../../src/storage/sqlite/batch.ts'
import type { Statements } from '../../../src/storage/sqlite/connection.ts'
import { sqliteDialect } from '../../../src/storage/sqlite/faults.ts'
import { type Code, currentCode } from '../code.ts'
import { createTemplate, type Template } from '../template.ts'
import { engineFor, isMisfit } from './engine.ts'
import { checkOutRelease, type Release } from './release.ts'
import { SerialEngine } from './serial-engine.ts'

/** The last release and this version, for one world after another. */
export interface Versions {
  readonly previous: Code
  readonly current: Code
  /** The newest migration that the last release knows. */
  readonly knownBefore: number
  /** What the current world does about a statement that does not fit the schema. */
  onMisfit: (version: string, error: unknown) => void
  /** A gateway looked at the schema: `refusal` is why it does not start. */
  onSchemaRead: (code: Code, refusal: Error | null) => void
}

/** A store as the last release leaves it behind, and both versions. */
export async function createVersionsTemplate(): Promise<Template> {
  const release = checkOutRelease()
  try {
    const released = await loadRelease(release)
    const template = await createTemplate(migrations.filter(({ version }) => version <= released.knownBefore))
    const versions = bind(released, released.loadConfig(template.environment))
    const remove = () => {
      release.remove()
      template.remove()
    }
    return { ...template, versions, remove }
  } catch (error) {
    release.remove()
    throw error
  }
}

type Released = Awaited<ReturnType<typeof loadRelease>>

/** Its modules have the shapes of that version; where a shape differs from ours, `bind` adapts it. */
async function loadRelease({ version, import: load }: Release) {
  const from = <T>(path: string) => load(path) as Promise<T>
  const { startApp } = await from<typeof import('../../../src/app/app.ts')>('src/app/app.ts')
  const { commonHeaders } = await from<typeof import('../../../src/http/errors.ts')>('src/http/errors.ts')
  const { createRequestLog } = await from<typeof import('../../../src/http/request-log.ts')>('src/http/request-log.ts')
  const { createResponder } = await from<typeof import('../../../src/http/responder.ts')>('src/http/responder.ts')
  const { createRouter } = await from<typeof import('../../../src/http/router.ts')>('src/http/router.ts')
  const { Exchange } = await from<typeof import('../../../src/http/transport/exchange.ts')>(
    'src/http/transport/exchange.ts',
  )
  const { applyBatch } =
    await from<typeof import('../../../src/storage/sqlite/batch.ts')>('src/storage/sqlite/batch.ts')
  const { loadConfig } = await from<typeof import('../../../src/config/config.ts')>('src/config/config.ts')
  const { PaymentFault } = await from<typeof import('../../../src/providers/payments/payment-provider.ts')>(
    'src/providers/payments/payment-provider.ts',
  )
  const { buildAdministration } = await from<{ buildAdministration: Code['administrate'] }>('src/app/administration.ts')
  const errors = await from<typeof ownErrors>('src/storage/engine.ts')
  const schema = await from<typeof ownSchema>('src/storage/schema/migrate.ts')
  const known = await from<{ migrations: readonly Migration[] }>('src/storage/schema/migrations.ts')
  return {
    ...{ version, startApp, applyBatch, loadConfig, PaymentFault, buildAdministration, errors, schema },
    http: { commonHeaders, createRequestLog, createResponder, createRouter, Exchange },
    migrations: known.migrations,
    knownBefore: schema.knownVersion(known.migrations),
  }
}

function bind(released: Released, config: Config): Versions {
  const versions: Versions = {
    previous: guarded({
      ...released,
      startApp: (options) => {
        const payments = [...(options.paymentProviders ?? [])].map(
          ([method, provider]) => [method, paymentsOf(provider, released.PaymentFault)] as const,
        )
        return released.startApp({ ...options, config, paymentProviders: new Map(payments) })
      },
      administrate: (engine, _, clock) => released.buildAdministration(engine, config, clock),
    }),
    current: guarded({ ...currentCode, applyBatch, errors: ownErrors, schema: ownSchema, migrations }),
    knownBefore: released.knownBefore,
    onMisfit: () => {},
    onSchemaRead: () => {},
  }
  return versions

  /** The same program, but it looks at the schema before it serves, and its statements are watched. */
  function guarded(
    code: Omit<Code, 'openEngine'> & Pick<Released, 'applyBatch' | 'errors' | 'schema' | 'migrations'>,
  ): Code {
    const { version, http, errors } = code
    const watched = (engine: OpenedEngine) =>
      engineFor(engine as unknown as SerialEngine, errors, (error) => {
        if (isMisfit(error)) versions.onMisfit(version, error)
      })
    const open = async (engine: OpenedEngine) => {
      await refuseUnfit(engine, code).catch((error) => {
        if (error instanceof errors.StoreUnusable) versions.onSchemaRead(guardedCode, error)
        throw error
      })
      versions.onSchemaRead(guardedCode, null)
      return engine
    }
    const guardedCode: Code = {
      ...{ version, http },
      openEngine: (store, owner, logger) =>
        new SerialEngine(store, owner, logger, (db, commands) => {
          forgetOthers(db, code)
          return code.applyBatch(db, commands)
        }) as unknown as OpenedEngine,
      administrate: (engine, settings, clock) => code.administrate(watched(engine), settings, clock),
      startApp: ({ openStore, ...options }) =>
        code.startApp({ ...options, openStore: async (store) => open(watched(await openStore!(store))) }),
    }
    return guardedCode
  }
}

/** As `openStore` does on a store that gateways share. */
async function refuseUnfit(
  engine: OpenedEngine,
  { schema, migrations: known }: Pick<Released, 'schema' | 'migrations'>,
): Promise<void> {
  schema.refuseTooOld(schema.compareSchema(await schema.readRecords(engine, sqliteDialect), known))
}

const lastWriters = new WeakMap<Statements, object>()

/** Each version has a row cache of its own, and does not see what a batch of the other one wrote. */
function forgetOthers(db: Statements, code: object): void {
  if (lastWriters.get(db) !== code) (db as { generation: object }).generation = {}
  lastWriters.set(db, code)
}

/** 0.2.0 has its own class for an unknown outcome, and another name for the response to a callback. */
function paymentsOf<T extends object>(provider: T, PaymentFault: new (message: string) => Error): T {
  const translated = Object.entries(provider).map(([name, act]) => [
    name,
    (...given: unknown[]) => {
      const result = act(...given)
      if (!(result instanceof Promise)) return result
      return result.catch((error) => {
        throw error?.name === 'PaymentFault' ? new PaymentFault(error.message) : error
      })
    },
  ])
  const methods = Object.fromEntries(translated)
  return { ...methods, answerCallback: methods.callbackResponse }
}
