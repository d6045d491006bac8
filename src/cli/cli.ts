import { hostname } from 'node:os'
import { Command, CommanderError } from 'commander'
import { sealedKinds } from '../app/features.ts'
import { SecretMissing, SecretUnusable } from '../base/secret-file.ts'
import { type Config, ConfigFault, loadConfig } from '../config/config.ts'
import { OperatorRefusal } from '../contract/error-codes/operators.ts'
import { archivesOf, buildArchiver } from '../features/archives/feature.ts'
import { ArchiveUnreadable } from '../features/archives/page.ts'
import { buildAdministration } from '../features/operators/administration/administration.ts'
import {
  checkSecret,
  createSealedStore,
  createSecretStore,
  readKeyring,
  refuseForeignSecret,
  rotateSecret,
} from '../ops/secrets.ts'
import { readSmsOutbox } from '../providers/sms/sms.ts'
import type { Logger } from '../storage/engine.ts'
import { StoreUnavailable, StoreUnusable } from '../storage/engine.ts'
import { StoreMissing, storeFile } from '../storage/open-engine.ts'
import { backupOf, openMigrator, openStore } from '../storage/open-store.ts'
import type { Migration } from '../storage/schema/migrations.ts'
import { storeFacts } from '../storage/store-facts.ts'
import { ExportUnreadable } from '../storage/transfer/export-file.ts'
import { exportStore, importStore } from '../storage/transfer/transfer.ts'
import { addAccounts, addKeys } from './accounts.ts'
import type { AdministrationCommandDeps } from './acting.ts'
import { addApprovals, addCredits, addReviews } from './credits.ts'
import { addMigrate } from './migrate.ts'
import { addAudit, addOperators } from './operators.ts'
import { addReconcile } from './reconcile.ts'
import { addRestoreCheck } from './restore-check.ts'
import { addSms } from './sms.ts'
import { addStatement } from './statement.ts'
import { addArchive, addBackup, addDoctor, addSecret, addTransfer, type DoctorDeps } from './store.ts'
import { CommandFailure, createTerminal, Misuse, readAll, type Streams, type Terminal, userName } from './terminal.ts'

export interface CommandLineOptions extends Streams {
  /** The arguments after the program's name. */
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock?: () => number
  /** For arguments given as `-`. */
  readonly stdin?: AsyncIterable<string | Uint8Array>
  /** What the program knows of the schema; replaced in tests. */
  readonly migrations?: readonly Migration[]
}

/** Runs one operator command and returns its exit code. Safe while the gateway runs. */
export async function runCommandLine({
  argv,
  environment,
  clock = Date.now,
  stdin = process.stdin,
  migrations,
  ...streams
}: CommandLineOptions) {
  let exitCode = 0
  const terminal = createTerminal(streams, (code) => {
    exitCode = code
  })
  try {
    const readInput = () => readAll(stdin)
    const schema = migrations && { migrations }
    await createProgram({ environment, clock, terminal, streams, readInput, ...schema }).parseAsync(argv, {
      from: 'user',
    })
    return exitCode
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof OperatorRefusal && argv.includes('--json')) {
      await terminal.printJson({ error: { code: error.code, message: error.message } })
      return 1
    }
    terminal.note(errorLine(error, environment.LOG_LEVEL))
    return error instanceof Misuse || error instanceof ConfigFault ? 2 : 1
  }
}

type Opened = Awaited<ReturnType<typeof openStore>>

/** For reading a store of any size in one transaction. */
const longReadMs = 6 * 3_600_000

/** The doctor reads every page of the embedded store. */
const doctorLimitMs = 600_000

interface ProgramDeps {
  readonly environment: CommandLineOptions['environment']
  readonly clock: () => number
  readonly terminal: Terminal
  readonly streams: Streams
  readonly readInput: () => Promise<string>
  readonly migrations?: readonly Migration[]
}

function createProgram({ environment, terminal, streams, readInput, ...deps }: ProgramDeps): Command {
  let loaded: Config | undefined
  const config = () => {
    loaded ??= loadConfig(environment)
    return loaded
  }
  const noteText = (_facts: unknown, text?: string) => terminal.note(text ?? '')
  const logger: Logger = { info() {}, warn: noteText, error: noteText }
  const { clock } = deps
  const withStore = createStoreOpener({ config, logger, ...deps })
  const archiving = {
    clock,
    holder: `command on ${hostname()}, process ${process.pid}`,
    onNewPart: ({ fileName }: { fileName: string }) => terminal.note(`${fileName} is not here; a new part begins`),
  }

  const program = new Command('npm run gateway --')
    .description('Commands for the operator. They work on the store of a running gateway.')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: (text) => streams.stdout.write(text), writeErr: (text) => streams.stderr.write(text) })
  const acting: AdministrationCommandDeps = {
    withAdministration: (work) => withStore((engine) => work(buildAdministration(engine, config(), clock))),
    terminal,
    clock,
    userName,
    readInput,
  }
  for (const add of [addReviews, addAccounts, addKeys, addCredits, addApprovals, addOperators, addAudit]) {
    add(program, acting)
  }
  const archives = () => archivesOf(config())
  const withReadableStore: StoreOpener = (work) => withStore(work, { transactionLimitMs: longReadMs, readOnly: true })
  addReconcile(program, {
    withStore: withReadableStore,
    terminal,
    clock,
    resultDays: () => config().charges.resultDays,
    archives,
  })
  addRestoreCheck(program, {
    withStore: withReadableStore,
    terminal,
    archives,
  })
  addStatement(program, { withStore, terminal, archives })
  addArchive(program, {
    withArchiver: (work) => withStore((engine) => work(buildArchiver({ engine, config: config(), ...archiving }))),
    terminal,
  })
  addDoctor(program, {
    config,
    storeFile: () => storeFile(config()),
    withStore: createExaminer(withStore, config),
    terminal,
    clock,
  })
  addSecret(program, {
    rotate: () =>
      withStore(async (engine) => {
        const keyring = await readKeyring(config())
        await checkSecret(createSecretStore(engine), keyring, clock)
        return rotateSecret(createSealedStore(engine), keyring, sealedKinds(keyring))
      }),
    terminal,
  })
  addMigrate(program, {
    open: () => {
      const { databaseUrl, dataDir } = config()
      return openMigrator({ databaseUrl, dataDir, logger, ...deps })
    },
    terminal,
  })
  const whole = () => {
    const { databaseUrl, dataDir } = config()
    return { databaseUrl, dataDir, transactionLimitMs: longReadMs, logger, ...deps }
  }
  addTransfer(program, {
    exportTo: (file) => exportStore(whole(), file),
    importFrom: (file, prove) => importStore(whole(), file, prove),
    terminal,
  })
  addBackup(program, { withBackup: (work) => withStore((engine) => work(backupOf(engine))), terminal })
  addSms(program, {
    outbox: () => (config().isLoopback ? (limit) => readSmsOutbox(config().dataDir, limit) : null),
    terminal,
  })
  return program
}

/** What the doctor learns from the store; null if there is none. */
function createExaminer(withStore: StoreOpener, config: () => Config): DoctorDeps['withStore'] {
  return async (work) => {
    try {
      return await withStore(
        (engine) =>
          work({
            check: () => engine.check(),
            facts: () => storeFacts(engine),
            outdatedSecrets: async () => {
              const known = await createSecretStore(engine).secretVersions()
              const keyring = await readKeyring(config()).catch((error) => {
                if (!(error instanceof SecretMissing) || known.length === 0) throw error
                throw new SecretUnusable('the secret is missing, and the accounts in the store need it')
              })
              refuseForeignSecret(known, keyring)
              return createSealedStore(engine).countOutdated(keyring.current.version)
            },
          }),
        // The doctor itself reports an older schema.
        { logger: silent, transactionLimitMs: doctorLimitMs },
      )
    } catch (error) {
      if (error instanceof StoreMissing) return null
      throw error
    }
  }
}

const silent: Logger = { info() {}, warn() {}, error() {} }

type StoreOpener = ReturnType<typeof createStoreOpener>

/** Opens the store for one piece of work and closes it afterwards. */
function createStoreOpener(deps: Pick<ProgramDeps, 'clock' | 'migrations'> & { config: () => Config; logger: Logger }) {
  return async <T>(
    work: (engine: Opened) => Promise<T>,
    options: { transactionLimitMs?: number; readOnly?: boolean; logger?: Logger } = {},
  ): Promise<T> => {
    const { config, ...others } = deps
    const { databaseUrl, dataDir } = config()
    const engine = await openStore({ databaseUrl, dataDir, exclusive: false, mustExist: true, ...others, ...options })
    try {
      return await work(engine)
    } finally {
      await engine.close()
    }
  }
}

/** One line per error; the stack of an unexpected one only at debug level. */
function errorLine(error: unknown, logLevel: string | undefined): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const line = message.replaceAll(/\s*\n\s*/g, ' ')
  if (error instanceof StoreUnavailable && error.mayHaveCommitted) {
    return `${line}; this may or may not have been recorded; it is safe to run the command again`
  }
  const isExpected = expected.some((kind) => error instanceof kind)
  if (isExpected) return line
  return /^(debug|trace)$/.test(logLevel ?? '') ? `${stack}` : `unexpected: ${line} (LOG_LEVEL=debug shows the stack)`
}

const expected = [
  ArchiveUnreadable,
  ExportUnreadable,
  Misuse,
  CommandFailure,
  OperatorRefusal,
  ConfigFault,
  SecretUnusable,
  StoreUnavailable,
  StoreUnusable,
]

if (import.meta.main) {
  // A reader that stops early, such as `head`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const { stdout, stderr, env: environment } = process
  process.exitCode = await runCommandLine({ argv: process.argv.slice(2), environment, stdout, stderr })
}
