import type { Command } from 'commander'
import { type AccountQuery, findAccounts, showAccount } from '../features/identity/accounts/operator/actions.ts'
import { foundAccount, shownAccount } from '../features/identity/accounts/operator/handlers.ts'
import { readKeyring } from '../ops/secrets.ts'
import type { CommandLine } from './acting.ts'
import { Misuse, table } from './terminal.ts'

export function addAccounts(program: Command, line: CommandLine): void {
  const accounts = program.command('accounts').description('find, suspend and reinstate accounts')
  addFind(accounts, line)
  addShow(accounts, line)
}

interface FindOptions {
  readonly phone?: string
  readonly email?: string
  readonly id?: string
  readonly key?: string
  readonly json?: true
}

function addFind(accounts: Command, line: CommandLine): void {
  const { terminal, readInput } = line
  accounts
    .command('find')
    .description('find accounts; a phone number or email is read from standard input')
    .option('--phone <->', 'by phone number')
    .option('--email <->', 'by recovery email')
    .option('--id <id>', 'by account, project or key ID')
    .option('--key <prefix>', 'by the start of a key')
    .option('--json', 'print JSON')
    .action(async ({ json, ...given }: FindOptions) => {
      const query = await queryOf(given, readInput)
      const found = await line.withStore((engine) =>
        findAccounts({ engine, readKeyring: () => readKeyring(line.config()) }, query),
      )
      const items = found.map(foundAccount)
      if (json) return terminal.printJson({ items })
      const names = ['account', 'project', 'state', 'phone', 'email', 'created']
      await terminal.printTable(names, items.map(Object.values), 'No accounts found.\n')
    })
}

async function queryOf(given: Omit<FindOptions, 'json'>, readInput: () => Promise<string>): Promise<AccountQuery> {
  const [[name, value] = [], ...others] = Object.entries(given) as [keyof typeof given, string][]
  if (name === undefined || value === undefined || others.length > 0) {
    throw new Misuse('choose one of --phone, --email, --id and --key')
  }
  if (name === 'id') return { id: value }
  if (name === 'key') return { keyPrefix: value }
  // Other users of the machine can read the arguments of a process.
  if (value !== '-')
    throw new Misuse(`write --${name} - and send it on standard input: arguments are visible to others`)
  const contact = (await readInput()).trim()
  return name === 'phone' ? { phone: contact } : { email: contact }
}

function addShow(accounts: Command, line: CommandLine): void {
  const { terminal } = line
  accounts
    .command('show <account>')
    .description('show an account with its balance and keys')
    .option('--json', 'print JSON')
    .action(async (accountId: string, { json }: { json?: true }) => {
      const shown = shownAccount(await line.withStore((engine) => showAccount({ engine }, accountId)))
      if (json) return terminal.printJson(shown)
      const { balance, keys, hasSecondFactor, ...account } = shown
      const keyRows = keys.map((key) => ['key', Object.values(key).join(' ')])
      const rows = [
        ...Object.entries(account),
        ['hasSecondFactor', String(hasSecondFactor)],
        ...Object.entries(balance),
        ...keyRows,
      ]
      await terminal.print(table(['what', 'value'], rows))
    })
}
