import type { Command } from 'commander'
import { isoOf, isoOrNull } from '../base/time.ts'
import type { AccountQuery } from '../features/identity/accounts/operator/actions.ts'
import { foundAccount, shownAccount } from '../features/identity/accounts/operator/handlers.ts'
import type { AccountSummary } from '../features/identity/accounts/operator/store.ts'
import { addActionOptions, type CommandLine, onAction, withAdministration } from './acting.ts'
import { Misuse, table } from './terminal.ts'

export function addAccounts(program: Command, line: CommandLine): void {
  const accounts = program.command('accounts').description('find, suspend and reinstate accounts')
  addFind(accounts, line)
  addShow(accounts, line)
  const act = (name: string, description: string, run: AccountRun, done: string) =>
    onAction(
      addActionOptions(accounts.command(`${name} <account>`).description(description)),
      line,
      async (operate, { actor, reason }, accountId) => {
        const account = await operate[run](actor, { accountId: accountId!, reason })
        return { json: actedOn(account), text: `${accountId} ${done}.\n` }
      },
    )
  act('suspend', 'end its sessions and refuse its logins and keys', 'suspendAccount', 'is suspended')
  act('reinstate', 'let it log in and make calls again', 'reinstateAccount', 'is active')
  act('sign-out', 'end all its sessions', 'signOutAccount', 'is signed out everywhere')
  const description = 'send a password reset code to its own phone, and print the link to use it'
  onAction(
    addActionOptions(accounts.command('recover <account>').description(description)),
    line,
    async (operate, { actor, reason }, accountId) => {
      const { recovery, ...account } = await operate.recoverAccount(actor, { accountId: accountId!, reason })
      const { link } = recovery
      const expiresAt = isoOf(recovery.expiresAt)
      return {
        json: { ...actedOn(account), recovery: { link, expiresAt } },
        text: `A password reset code was sent to ${accountId}. Pass on this link, valid until ${expiresAt}:\n${link}\n`,
      }
    },
  )
}

type AccountRun = 'suspendAccount' | 'reinstateAccount' | 'signOutAccount'

const actedOn = (row: AccountSummary) => ({ ...foundAccount(row), suspendedAt: isoOrNull(row.suspendedAt) })

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
      const items = (await withAdministration(line, (operate) => operate.findAccounts(query))).map(foundAccount)
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
      const shown = shownAccount(await withAdministration(line, (operate) => operate.showAccount(accountId)))
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

export function addKeys(program: Command, line: CommandLine): void {
  const keys = program.command('keys').description('revoke API keys of payers')
  onAction(
    addActionOptions(keys.command('revoke <key>').description('refuse all further calls with this key')),
    line,
    async (operate, { actor, reason }, keyId) => {
      const key = await operate.revokeKey(actor, { keyId: keyId!, reason })
      const { projectId, displayPrefix } = key
      return {
        json: { keyId, projectId, displayPrefix, state: 'revoked', revokedAt: isoOf(key.revokedAt!) },
        text: `${keyId} of ${projectId} (${displayPrefix}) is revoked.\n`,
      }
    },
  )
}
