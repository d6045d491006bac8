import type { Command } from 'commander'
import { type ExamineDeps, examine, isHealthy } from '../ops/doctor/doctor.ts'
import { type Terminal, table } from './terminal.ts'

export interface DoctorDeps extends ExamineDeps {
  readonly terminal: Terminal
}

export function addDoctor(program: Command, deps: DoctorDeps): void {
  program
    .command('doctor')
    .description('check configuration, files, store, clock, listeners and credentials; exit code 1 on a failure')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(deps)
      if (!isHealthy(findings)) deps.terminal.finish(1)
      if (json) return deps.terminal.printJson({ isHealthy: isHealthy(findings), findings })
      const rows = findings.map(({ level, check, what, remedy }) => [
        level,
        check,
        remedy ? `${what}. ${remedy}` : what,
      ])
      await deps.terminal.print(table(['level', 'check', 'finding'], rows))
    })
}
