import { Command, CommanderError } from 'commander'
import { now } from '../base/clock.ts'
import { SecretUnusable } from '../base/secret-file.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { ConfigFault } from '../config/faults.ts'
import { Refusal } from '../contract/errors.ts'
import type { PasswordCost } from '../features/identity/accounts/passwords.ts'
import { ArchiveUnreadable } from '../features/records/archives/page.ts'
import { PaymentFault } from '../providers/payments/payment-provider.ts'
import { type Logger, StoreUnavailable, StoreUnusable } from '../storage/engine.ts'
import { openStore } from '../storage/open-store.ts'
import type { Migration } from '../storage/schema/migrations.ts'
import { ExportUnreadable } from '../storage/transfer/export-file.ts'
import { addAccounts } from './accounts.ts'
import type { CommandLine } from './acting.ts'
import { addApprovals, addReviews } from './credits.ts'
import { addFind } from './find.ts'
import { addIncidents } from './incidents.ts'
import { addMigrate } from './migrate.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { addAudit, addOperators } from './operators.ts'
import { addPayments } from './payments.ts'
import { addReconcile } from './reconcile.ts'
import { addRestoreCheck } from './restore-check.ts'
import { addSms } from './sms.ts'
import { addStatement } from './statement.ts'
import { addArchive, addBackup, addDoctor, addSecret, addTransfer } from './store.ts'
import { CommandFailure, createTerminal, Misuse, readAll, type Streams } from './terminal.ts'
import { addReceipts, addTransparency } from './transparency.ts'

export interface CommandLineOptions extends Streams {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock?: () => number
  /** For arguments given as `-`. */
  readonly stdin?: AsyncIterable<string | Uint8Array>
  /** What the program knows of the schema; replaced in tests. */
  readonly migrations?: readonly Migration[]
  /** Lowered in tests. */
  readonly passwordCost?: PasswordCost
}

/** Runs one operator command and returns its exit code. Safe while the gateway runs. */
export async function runCommandLine({
  argv,
  environment,
  clock = now,
  stdin = process.stdin,
  migrations,
  passwordCost,
  ...streams
}: CommandLineOptions) {
  let exitCode = 0
  const terminal = createTerminal(streams, (code) => {
    exitCode = code
  })
  try {
    const replaced = { ...(migrations && { migrations }), ...(passwordCost && { passwordCost }) }
    const line = createCommandLine({ environment, clock, terminal, readInput: () => readAll(stdin), ...replaced })
    const program = createProgram(line, streams)
    await addOperatorCommands(program, line, argv)
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof Refusal && argv.includes('--json')) {
      await terminal.printJson({ error: { code: error.code, message: error.message } })
      return 1
    }
    terminal.note(errorLine(error, environment.LOG_LEVEL))
    return error instanceof Misuse || error instanceof ConfigFault ? 2 : 1
  }
}

function createProgram(line: CommandLine, { stdout, stderr }: Streams): Command {
  const program = new Command('npm run gateway --')
    .description('Commands for operators. They can be used while the gateway is running.')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
  for (const add of commands) add(program, line)
  return program
}

/** In the order of the help. */
const commands = [
  addFind,
  addReviews,
  addAccounts,
  addApprovals,
  addPayments,
  addIncidents,
  addOperators,
  addAudit,
  addReceipts,
  addTransparency,
  addReconcile,
  addRestoreCheck,
  addStatement,
  addArchive,
  addDoctor,
  addSecret,
  addMigrate,
  addTransfer,
  addBackup,
  addSms,
]

function createCommandLine({
  environment,
  ...given
}: Pick<CommandLineOptions, 'environment'> &
  Pick<CommandLine, 'clock' | 'terminal' | 'readInput' | 'migrations' | 'passwordCost'>): CommandLine {
  let loaded: Config | undefined
  const config = () => {
    loaded ??= loadConfig(environment)
    return loaded
  }
  const { terminal, clock, migrations } = given
  const noteText = (_facts: unknown, text?: string) => terminal.note(text ?? '')
  const logger: Logger = { info() {}, warn: noteText, error: noteText }
  return {
    ...given,
    config,
    logger,
    withStore: async (work, options) => {
      const { databaseUrl, dataDir } = config()
      const schema = migrations && { migrations }
      const opening = { databaseUrl, dataDir, exclusive: false, mustExist: true, clock, logger, ...schema, ...options }
      const engine = await openStore(opening)
      try {
        return await work(engine)
      } finally {
        await engine.close()
      }
    },
  }
}

/** One line per error and invalid setting; the stack of an unexpected one only at debug level. */
function errorLine(error: unknown, logLevel: string | undefined): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof ConfigFault) return message
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
  PaymentFault,
  Refusal,
  SecretUnusable,
  StoreUnavailable,
  StoreUnusable,
]
