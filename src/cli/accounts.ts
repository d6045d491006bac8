import type { Command } from 'commander'
import { isoOrNull } from '../base/time.ts'
import type { AccountQuery } from '../features/operators/administration/accounts.ts'
import type { Administration } from '../features/operators/administration/administration.ts'
import type { AccountSummary } from '../features/operators/administration/ports.ts'
import {
  type ActionOptions,
  type AdministrationCommandDeps,
  actorOf,
  addActionOptions,
  Misuse,
  table,
} from './terminal.ts'

export function addAccounts(program: Command, deps: AdministrationCommandDeps): void {
  const accounts = program.command('accounts').description('find accounts, suspend and reinstate them')
  addFind(accounts, deps)
  addShow(accounts, deps)
  const act = (name: string, description: string, run: AccountRun, done: string) =>
    addAccountAction(accounts, deps, { name, description, run, done })
  act('suspend', 'end its sessions and refuse its logins and keys', (o) => o.suspendAccount, 'is suspended')
  act('reinstate', 'let it log in and call again', (o) => o.reinstateAccount, 'is active')
  act('sign-out', 'end all its sessions', (o) => o.signOutAccount, 'is signed out everywhere')
  addRecover(accounts, deps)
}

interface FindOptions {
  readonly phone?: string
  readonly email?: string
  readonly id?: string
  readonly key?: string
  readonly json?: true
}

function addFind(accounts: Command, { withAdministration, terminal, readInput }: AdministrationCommandDeps): void {
  accounts
    .command('find')
    .description('find accounts; a phone or an email is read from standard input')
    .option('--phone <->', 'by phone')
    .option('--email <->', 'by recovery email')
    .option('--id <id>', 'by the id of the account, its project or a key')
    .option('--key <prefix>', 'by the start of a key')
    .option('--json', 'print JSON')
    .action(async ({ json, ...given }: FindOptions) => {
      const query = await queryOf(given, readInput)
      const found = await withAdministration((operate) => operate.findAccounts(query))
      if (json) return terminal.printJson({ items: found.map(publicAccount) })
      if (found.length === 0) return terminal.print('No account was found.\n')
      await terminal.print(
        table(
          ['account', 'project', 'state', 'phone', 'email', 'created'],
          found.map((row) => Object.values(publicAccount(row))),
        ),
      )
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

function addShow(accounts: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  accounts
    .command('show <account>')
    .description('show an account with its balance and keys')
    .option('--json', 'print JSON')
    .action(async (accountId: string, { json }: { json?: true }) => {
      const { balance, keys, ...account } = await withAdministration((operate) => operate.showAccount(accountId))
      const shown = {
        ...publicAccount(account),
        recoveryEmailState: account.recoveryEmailState,
        suspendedAt: isoOrNull(account.suspendedAt),
        suspensionReason: account.suspensionReason,
      }
      const publicKeys = keys.map(({ projectId: _, revokedAt, ...key }) => ({
        ...key,
        revokedAt: isoOrNull(revokedAt),
      }))
      if (json) return terminal.printJson({ ...shown, balance, keys: publicKeys })
      await terminal.print(
        table(
          ['what', 'value'],
          [
            ...Object.entries(shown),
            ...Object.entries(balance),
            ...publicKeys.map((key) => ['key', Object.values(key).join(' ')]),
          ],
        ),
      )
    })
}

type AccountRun = (operate: Administration) => Administration['suspendAccount']

function addAccountAction(
  accounts: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  { name, description, run, done }: { name: string; description: string; run: AccountRun; done: string },
): void {
  addActionOptions(accounts.command(`${name} <account>`).description(description)).action(
    async (accountId: string, { reason, by = userName(), json }: ActionOptions) => {
      const account = await withAdministration((operate) => run(operate)(actorOf(by), { accountId, reason }))
      if (json) return terminal.printJson(actedOn(account))
      await terminal.print(`${accountId} ${done}.\n`)
    },
  )
}

function addRecover(accounts: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  const description = 'send a recovery code to its own phone, and print the link where it is used'
  addActionOptions(accounts.command('recover <account>').description(description)).action(
    async (accountId: string, { reason, by = userName(), json }: ActionOptions) => {
      const { recovery, ...account } = await withAdministration((operate) =>
        operate.recoverAccount(actorOf(by), { accountId, reason }),
      )
      const { link, expiresAt } = recovery
      const expires = new Date(expiresAt).toISOString()
      if (json) return terminal.printJson({ ...actedOn(account), recovery: { link, expiresAt: expires } })
      await terminal.print(
        `${accountId} was sent a recovery code. Pass on this link, good until ${expires}:\n${link}\n`,
      )
    },
  )
}

const publicAccount = (row: AccountSummary) => ({
  accountId: row.accountId,
  projectId: row.projectId,
  state: row.suspendedAt === null ? 'active' : 'suspended',
  phoneMasked: row.phoneMasked,
  recoveryEmailMasked: row.recoveryEmailMasked,
  createdAt: new Date(row.createdAt).toISOString(),
})

const actedOn = (row: AccountSummary) => ({ ...publicAccount(row), suspendedAt: isoOrNull(row.suspendedAt) })

export function addKeys(program: Command, { withAdministration, terminal, userName }: AdministrationCommandDeps): void {
  const keys = program.command('keys').description('revoke keys of payers')
  addActionOptions(keys.command('revoke <key>').description('refuse every further call with this key')).action(
    async (keyId: string, { reason, by = userName(), json }: ActionOptions) => {
      const key = await withAdministration((operate) => operate.revokeKey(actorOf(by), { keyId, reason }))
      const { projectId, displayPrefix } = key
      const revokedAt = new Date(key.revokedAt!).toISOString()
      if (json) return terminal.printJson({ keyId, projectId, displayPrefix, state: 'revoked', revokedAt })
      await terminal.print(`${keyId} of ${projectId} (${displayPrefix}) is revoked.\n`)
    },
  )
}
