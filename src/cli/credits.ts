import type { Command } from 'commander'
import { referenceLimit } from '../features/operators/administration/actor.ts'
import type { MovedCredits } from '../features/operators/administration/credits.ts'
import {
  type ActionOptions,
  type AdministrationCommandDeps,
  actorOf,
  addActionOptions,
  singleLine,
} from './terminal.ts'

export function addCredits(program: Command, deps: AdministrationCommandDeps): void {
  const credits = program.command('credits').description('grant credits to a project, or take them back')
  addMovement(credits, deps, 'grant', 'add credits, such as for a bank transfer')
  addMovement(credits, deps, 'withdraw', 'take available credits back, such as after a mistaken grant')
}

interface MovementOptions extends ActionOptions {
  readonly reference: string
  readonly again?: true
}

function addMovement(
  credits: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  kind: 'grant' | 'withdraw',
  description: string,
): void {
  addActionOptions(credits.command(`${kind} <project> <credits>`).description(description))
    .requiredOption(
      '--reference <text>',
      'such as the number of a bank transfer; used once per project',
      singleLine('a reference', referenceLimit),
    )
    .option('--again', 'another payment, although a similar reference was used before')
    .action(
      async (
        projectId: string,
        amount: string,
        { reason, by = userName(), json, reference, again }: MovementOptions,
      ) => {
        const request = { kind, projectId, credits: numberIn(amount), reference, reason, again }
        const moved = await withAdministration((operate) => operate.moveCredits(actorOf(by), request))
        return json ? terminal.printJson(moved) : terminal.print(sentence(kind, moved))
      },
    )
}

/** Not a number unless it is written as a plain decimal; the action judges the rest. */
const numberIn = (text: string) => (/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

export function sentence(kind: 'grant' | 'withdraw', moved: MovedCredits): string {
  if ('approval' in moved) return `A second operator has to approve this: approvals approve ${moved.approval.id}\n`
  const { projectId, credits, reference, replayed, balance } = moved
  const done = kind === 'grant' ? 'granted to' : 'withdrawn from'
  const when = replayed ? 'had already been' : 'were'
  return `${credits} credits ${when} ${done} ${projectId} (${reference}): ${balance.available} available, ${balance.reserved} reserved.\n`
}
