import type { Command } from 'commander'
import type { Rotation } from '../ops/secrets.ts'
import type { Terminal } from './terminal.ts'

export interface SecretDeps {
  readonly rotate: () => Promise<Rotation>
  readonly terminal: Terminal
}

export function addSecret(program: Command, { rotate, terminal }: SecretDeps): void {
  program
    .command('secret')
    .description('replace the secret that contacts are sealed with')
    .command('rotate')
    .description('seal and digest everything with GATEWAY_SECRET; safe to stop and to run again')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const rotation = await rotate()
      if (rotation.unusable > 0) terminal.finish(1)
      if (json) return terminal.printJson(rotation)
      await terminal.print(summary(rotation))
    })
}

function summary({ rotated, unusable, unsealed, isFinished }: Rotation): string {
  const counts = Object.entries(rotated).map(([name, count]) => `${count} ${words[name] ?? name}`)
  const lines = [`Sealed with the current secret: ${counts.join(', ')}.`]
  if (unusable > 0)
    lines.push(
      `${unusable} values cannot be opened with the configured secrets. Name the missing one in GATEWAY_SECRET_PREVIOUS.`,
    )
  if (unsealed > 0)
    lines.push(
      `${unsealed} contacts have no sealed copy: keep GATEWAY_SECRET_PREVIOUS until their owners have signed in.`,
    )
  if (isFinished) lines.push('Nothing uses an older secret any more: remove GATEWAY_SECRET_PREVIOUS and restart.')
  return `${lines.join('\n')}\n`
}

const words: Readonly<Record<string, string>> = { recoveryEmails: 'recovery emails', operatorCodes: 'operator codes' }
