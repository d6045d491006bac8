import type { Command } from 'commander'
import { isoOf } from '../base/time.ts'
import { type MigrationPlan, type Migrator, openMigrator } from '../storage/open-store.ts'
import { type LiveInstance, MigrationRefused } from '../storage/schema/migrate.ts'
import type { Migration } from '../storage/schema/migrations.ts'
import type { CommandLine } from './acting.ts'
import { table } from './terminal.ts'

export function addMigrate(program: Command, { config, terminal, clock, logger, migrations }: CommandLine): void {
  program
    .command('migrate')
    .description('update the schema of the store to this version; exit code 1 if running gateways prevent it')
    .option('--dry-run', 'only show what would be done')
    .option('--json', 'print JSON')
    .action(async ({ json, dryRun }: { json?: true; dryRun?: true }) => {
      const { databaseUrl, dataDir } = config()
      const schema = migrations && { migrations }
      const migrator = await openMigrator({ databaseUrl, dataDir, logger, clock, ...schema })
      try {
        const plan = await migrator.plan()
        if (!json) await terminal.print(formatPlan(plan))
        const done = dryRun
          ? nothingDone(plan)
          : await run(migrator, (line) => (json ? undefined : terminal.print(line)))
        if (done.refusal) terminal.finish(1)
        if (json) return terminal.printJson(toJson(plan, done))
        await terminal.print(formatEnd(plan, done, dryRun === true))
      } finally {
        await migrator.close()
      }
    })
}

interface MigrateEnd {
  readonly applied: readonly Migration[]
  readonly backup: string | null
  readonly refusal: MigrationRefused | null
}

const nothingDone = ({ refusal }: MigrationPlan): MigrateEnd => ({ applied: [], backup: null, refusal })

/** A refusal ends the run; the steps before it stay. */
async function run(migrator: Migrator, say: (line: string) => Promise<void> | undefined): Promise<MigrateEnd> {
  const applied: Migration[] = []
  try {
    const { backup } = await migrator.run((step) => {
      applied.push(step)
      void say(`applied ${nameOf(step)}\n`)
    })
    return { applied, backup, refusal: null }
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error
    return { applied, backup: null, refusal: error }
  }
}

function formatPlan({ at, due, instances }: MigrationPlan): string {
  const state = at === null ? 'The store is empty.' : `The schema is at ${nameOf(at)}.`
  if (due.length === 0) return `${state}\n`
  const steps = table(
    ['step', 'name', 'running gateways must know'],
    due.map(({ version, name, compatibleFrom }) => [version, name, `version ${compatibleFrom}`]),
  )
  return `${state} To do:\n${steps}${instances.length === 0 ? '' : `Running gateways:\n${formatInstances(instances)}`}`
}

const formatInstances = (instances: readonly LiveInstance[]) =>
  table(
    ['instance', 'process', 'started', 'knows', 'needs'],
    instances.map(({ instanceId, process, startedAt, knownVersion, neededVersion }) => [
      instanceId,
      process,
      isoOf(startedAt),
      knownVersion,
      neededVersion,
    ]),
  )

function formatEnd(plan: MigrationPlan, { applied, backup, refusal }: MigrateEnd, isDryRun: boolean): string {
  const copy = backup === null ? '' : `A copy of the store from before was kept as ${backup}.\n`
  if (refusal) return `${copy}${isDryRun ? 'Would be refused' : 'Refused'}: ${refusal.message}.\n`
  if (isDryRun) return 'Nothing was done.\n'
  const newest = applied.at(-1) ?? plan.at
  return `${copy}${applied.length === 0 ? 'Nothing to do.' : `The schema is now at ${nameOf(newest!)}.`}\n`
}

const nameOf = ({ version, name }: { version: number; name: string }) => `version ${version} (${name})`

const toJson = (plan: MigrationPlan, { applied, backup, refusal }: MigrateEnd) => ({
  from: plan.at,
  due: plan.due.map(stepOf),
  applied: applied.map(stepOf),
  isCurrent: applied.length === plan.due.length,
  backup,
  instances: plan.instances,
  refused: refusal && { ...stepOf(refusal.step), instances: refusal.instances, message: refusal.message },
})

const stepOf = ({ version, name, compatibleFrom }: Migration) => ({ version, name, compatibleFrom })
