import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Keyring } from '../base/keyring.ts'
import { SecretMissing, SecretUnusable } from '../base/secret-file.ts'
import { type ArchiveResult, refusalText } from '../features/records/archives/archiver.ts'
import { buildArchiver } from '../features/records/archives/feature.ts'
import { reconcile } from '../features/records/reconcile/reconcile.ts'
import { keepersNotChecked } from '../features/records/transparency/keepers.ts'
import { readLag } from '../features/records/transparency/lag.ts'
import { transparencyFault } from '../features/records/transparency/publisher.ts'
import { silentWitnesses } from '../features/records/transparency/witnessing.ts'
import { type ExamineDeps, examine, isHealthy } from '../ops/doctor/doctor.ts'
import { findingIn } from '../ops/doctor/finding.ts'
import {
  checkSecret,
  countOutdated,
  createSecretStore,
  type Rotation,
  readKeyring,
  refuseForeignSecret,
  rotateSecret,
} from '../ops/secrets.ts'
import type { Logger, Reader } from '../storage/engine.ts'
import { StoreMissing, storeFile } from '../storage/open-engine.ts'
import { backupOf } from '../storage/open-store.ts'
import { storeFacts } from '../storage/store-facts.ts'
import { exportStore, importStore } from '../storage/transfer/transfer.ts'
import { type CommandLine, longReadMs } from './acting.ts'
import { CommandFailure, Misuse, table } from './terminal.ts'

export function addArchive(program: Command, { withStore, config, clock, terminal }: CommandLine): void {
  program
    .command('archive')
    .description('move charges and ledger entries that are older than charges.retentionDays to archive files')
    .option('--dry-run', 'only show what would be moved')
    .option('--json', 'print JSON')
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const result = await withStore((engine) => {
        const archiver = buildArchiver({
          engine,
          config: config(),
          clock,
          holder: `command on ${hostname()}, process ${process.pid}`,
          onNewPart: ({ fileName }) => terminal.note(`${fileName} is not here; a new part begins`),
        })
        if (!archiver) throw new Misuse('charges.retentionDays is not set, so nothing is ever archived')
        return dryRun ? archiver.plan() : archiver.run()
      })
      if (result.refusal) throw new CommandFailure(refusalText(result.refusal))
      const { refusal: _, ...shown } = result
      if (json) return terminal.printJson(shown)
      await terminal.print(archiveText(result, dryRun === true))
    })
}

function archiveText({ projects, charges, entries, heldUp }: ArchiveResult, isDryRun: boolean): string {
  const moved = `${charges} charges and ${entries} ledger entries of ${projects} projects`
  const first = isDryRun ? `Would move ${moved}.\n` : `Moved ${moved} to archive files.\n`
  if (heldUp.length === 0) return first
  const rows = heldUp.map(({ projectId, because, seq, chargeId }) => [projectId, because, seq, chargeId])
  return `${first}These ledgers cannot be archived further:\n${table(['project', 'because of', 'entry', 'charge'], rows)}`
}

export function addBackup(program: Command, { withStore, terminal }: CommandLine): void {
  program
    .command('backup <file>')
    .description('copy the embedded store into a new file while it is in use')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = newFile(path, 'a backup')
      await withStore(async (engine) => {
        const backup = backupOf(engine)
        if ('instead' in backup) throw new Misuse(backup.instead)
        await backup.copyTo(file)
      })
      const { size: bytes } = await stat(file)
      if (json) return terminal.printJson({ file, bytes })
      await terminal.print(
        `${file} now holds a copy of the store (${bytes} bytes). Keep a copy of the secret with it.\n`,
      )
    })
}

/** A file that must not exist yet, in a directory that does. */
function newFile(path: string, what: string): string {
  const file = resolve(path)
  if (existsSync(file)) throw new Misuse(`${file} already exists; ${what} never overwrites a file`)
  if (!existsSync(dirname(file))) throw new Misuse(`the directory ${dirname(file)} does not exist`)
  return file
}

/** Stores of any version, without a gateway. */
export function addTransfer(program: Command, { config, terminal, clock, logger, migrations }: CommandLine): void {
  const options = async () => {
    const { databaseUrl, dataDir } = config()
    const keyring = await readKeyring(config())
    const store = { databaseUrl, dataDir, transactionLimitMs: longReadMs, logger, clock }
    return { ...store, keyring, ...(migrations && { migrations }) }
  }
  program
    .command('export <file>')
    .description('write a stopped store to a new file that import can read')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = newFile(path, 'an export')
      const { rows, inReview } = await exportStore(await options(), file)
      if (json) return terminal.printJson({ file, rows, inReview })
      const open = inReview === 0 ? '' : `${inReview} charges are in review and stay in review.\n`
      await terminal.print(
        `${file} now holds ${describeRows(rows)}.\n${open}Sessions and unsent messages are not in it. Keep the secret and the archive files with it.\n`,
      )
    })
  program
    .command('import <file>')
    .description('read the file of an export into an empty store')
    .option('--json', 'print JSON')
    .action(async (path: string, { json }: { json?: true }) => {
      const file = resolve(path)
      if (!existsSync(file)) throw new Misuse(`${file} does not exist`)
      const { rows, replacedTexts } = await importStore(await options(), file, proveImport)
      if (json) return terminal.printJson({ file, rows, replacedTexts })
      const replaced =
        replacedTexts === 0
          ? ''
          : `In ${replacedTexts} texts, U+0000, which the database cannot store, became U+FFFD.\n`
      await terminal.print(`The store now holds ${describeRows(rows)}. The books balance.\n${replaced}`)
    })
}

const describeRows = ({
  accounts = 0,
  api_keys: keys = 0,
  orders = 0,
  charges = 0,
}: Readonly<Record<string, number>>) => `${accounts} accounts, ${keys} keys, ${orders} orders and ${charges} charges`

/** On the rows of one transaction, before it commits. */
async function proveImport(tx: Reader): Promise<void> {
  const { isSound, differenceCount, differences } = await reconcile({ read: (work) => work(tx) })
  if (isSound) return
  const [first] = differences
  throw new CommandFailure(
    `the books in the file do not balance (${differenceCount} differences; the first: ${first?.invariant} at ${first?.at}), so nothing was imported: run reconcile on the store that it came from`,
  )
}

export function addDoctor(program: Command, line: CommandLine): void {
  const { config, clock, terminal } = line
  program
    .command('doctor')
    .description('check configuration, files, store, clock, listeners and credentials; exit code 1 on a failure')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found = await examine({
        config,
        clock,
        storeFile: () => storeFile(config()),
        withStore: createStoreCheck(line),
      })
      const findings = found.map((finding) => findingIn('en', finding))
      if (!isHealthy(found)) terminal.finish(1)
      if (json) return terminal.printJson({ isHealthy: isHealthy(found), findings })
      const rows = findings.map(({ level, check, what, remedy }) => [
        level,
        check,
        remedy ? `${what}. ${remedy}` : what,
      ])
      await terminal.print(table(['level', 'check', 'finding'], rows))
    })
}

/** It reads every page of the embedded store. */
const doctorLimitMs = 600_000

/** What the doctor learns from the store; null if there is none. */
function createStoreCheck({ withStore, config }: CommandLine): ExamineDeps['withStore'] {
  return async (work) => {
    try {
      return await withStore(
        (engine) =>
          work({
            check: () => engine.check(),
            facts: () => storeFacts(engine),
            transparencyFault: () => transparencyFault(engine, config().dataDir),
            keepersNotChecked: () => keepersNotChecked(engine, config().dataDir),
            oldestOutsideTree: async () => (await engine.read(readLag)).oldestAt,
            silentWitnesses: () => silentWitnesses(engine, config().transparency.witnesses),
            outdatedSecrets: async () => {
              const known = await createSecretStore(engine).secretVersions()
              const keyring = await readKeyring(config()).catch((error) => {
                if (!(error instanceof SecretMissing) || known.length === 0) throw error
                throw new SecretUnusable('the secret is missing, and the accounts in the store need it')
              })
              refuseForeignSecret(known, keyring)
              return countOutdated(engine, keyring.current.version, await allSealedKinds(keyring))
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

export function addSecret(program: Command, { withStore, config, clock, terminal }: CommandLine): void {
  program
    .command('secret')
    .description('replace the secret that contacts are sealed with')
    .command('rotate')
    .description('seal and digest everything with GATEWAY_SECRET; safe to stop and to run again')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const rotation = await withStore(async (engine) => {
        const keyring = await readKeyring(config())
        await checkSecret(createSecretStore(engine), keyring, clock)
        return rotateSecret(engine, keyring, await allSealedKinds(keyring))
      })
      if (rotation.unusable > 0) terminal.finish(1)
      if (json) return terminal.printJson(rotation)
      await terminal.print(rotationText(rotation))
    })
}

/** Loads the whole gateway, which takes longer than most commands run. */
const allSealedKinds = async (keyring: Keyring) => (await import('../app/features.ts')).sealedKinds(keyring)

function rotationText({ rotated, unusable, unsealed, isFinished }: Rotation): string {
  const counts = Object.entries(rotated).map(([name, count]) => `${count} ${kindNames[name] ?? name}`)
  const lines = [`Sealed with the current secret: ${counts.join(', ')}.`]
  if (unusable > 0)
    lines.push(
      `${unusable} values cannot be opened with the configured secrets. Put the missing one in GATEWAY_SECRET_PREVIOUS.`,
    )
  if (unsealed > 0)
    lines.push(
      `${unsealed} contacts have no sealed copy: keep GATEWAY_SECRET_PREVIOUS until their owners have signed in.`,
    )
  if (isFinished) lines.push('Nothing uses an older secret anymore: remove GATEWAY_SECRET_PREVIOUS and restart.')
  return `${lines.join('\n')}\n`
}

const kindNames: Readonly<Record<string, string>> = {
  recoveryEmails: 'recovery emails',
  operatorCodes: 'operator codes',
}
