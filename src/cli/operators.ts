import { type Command, Option } from 'commander'
import { type FirstCredentials, operatorState } from '../features/operators/administration/operators.ts'
import { type OperatorRole, operatorRoles } from '../features/operators/contract/roles.ts'
import type { OperatorRow } from '../features/operators/store/operators.ts'
import { type ActionOptions, type AdministrationCommandDeps, actorOf, addOptionalReason, table } from './terminal.ts'

type OptionalReason = Omit<ActionOptions, 'reason'> & { readonly reason?: string }

const noReason = 'none given'

export function addOperators(program: Command, deps: AdministrationCommandDeps): void {
  const operators = program.command('operators').description('who may use the operator console')
  addAdd(operators, deps)
  addList(operators, deps)
  addDisable(operators, deps)
  addReset(operators, deps)
  addDecision(operators, deps, 'approve', 'let a new or reset operator sign in')
  addDecision(operators, deps, 'reject', 'disable an operator who waits for an approval')
}

function addAdd(operators: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  addOptionalReason(operators.command('add <name>').description('add an operator and print a first password'))
    .addOption(new Option('--role <role>', 'what they may do').choices(operatorRoles).makeOptionMandatory())
    .action(async (name: string, options: OptionalReason & { readonly role: OperatorRole }) => {
      const { role, reason = noReason, by = userName(), json } = options
      const first = await withAdministration((operate) => operate.addOperator(actorOf(by), { name, role, reason }))
      return json ? terminal.printJson(first) : terminal.print(credentialsText(first))
    })
}

function addReset(operators: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  addOptionalReason(
    operators.command('reset <name>').description('print a new first password, and enable the operator again'),
  ).action(async (name: string, { reason = noReason, by = userName(), json }: OptionalReason) => {
    const first = await withAdministration((operate) => operate.resetOperator(actorOf(by), { name, reason }))
    return json ? terminal.printJson(first) : terminal.print(credentialsText(first))
  })
}

function addDisable(operators: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  addOptionalReason(
    operators.command('disable <name>').description('end their sessions and refuse every sign-in'),
  ).action(async (name: string, { reason = noReason, by = userName(), json }: OptionalReason) => {
    const operator = await withAdministration((operate) => operate.disableOperator(actorOf(by), { name, reason }))
    return json ? terminal.printJson(publicOperator(operator)) : terminal.print(`${operator.name} is disabled.\n`)
  })
}

function addDecision(
  operators: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  name: 'approve' | 'reject',
  description: string,
): void {
  addOptionalReason(operators.command(`${name} <name>`).description(description)).action(
    async (operatorName: string, { reason, by = userName(), json }: OptionalReason) => {
      const decision = { name: operatorName, reason }
      const operator = await withAdministration((operate) =>
        name === 'approve'
          ? operate.approveOperator(actorOf(by), decision)
          : operate.rejectOperator(actorOf(by), decision),
      )
      const shown = publicOperator(operator)
      return json ? terminal.printJson(shown) : terminal.print(`${shown.name} is ${shown.state}.\n`)
    },
  )
}

function addList(operators: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  operators
    .command('list')
    .description('list the operators')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const items = (await withAdministration((operate) => operate.listOperators())).map(publicOperator)
      if (json) return terminal.printJson({ items })
      if (items.length === 0) return terminal.print('There is no operator yet.\n')
      await terminal.print(
        table(
          ['name', 'role', 'state', 'created'],
          items.map((row) => Object.values(row)),
        ),
      )
    })
}

const publicOperator = (row: OperatorRow) => ({
  name: row.name,
  role: row.role,
  state: operatorState(row),
  createdAt: new Date(row.createdAt).toISOString(),
})

const credentialsText = ({ name, role, password, totpUri }: FirstCredentials) =>
  `${name} may sign in as ${role}. This is shown once:\n\npassword  ${password}\ntotp      ${totpUri}\n`
