import type { Command } from 'commander'
import { readSmsOutbox, type SmsOutboxLine } from '../providers/sms/sms.ts'
import type { CommandLine } from './acting.ts'
import { CommandFailure, Misuse, type Terminal, table, wholeNumber } from './terminal.ts'

interface SmsOptions {
  readonly code?: true
  readonly phone?: string
  readonly limit: number
  readonly json?: true
}

/** How many messages are searched for one phone. */
const searchLimit = 10_000

export function addSms(program: Command, { config, terminal }: CommandLine): void {
  program
    .command('sms')
    .description('show the newest messages of the local SMS outbox')
    .option('--code', 'print the newest code and nothing else')
    .option('--phone <number>', 'only messages to this phone number')
    .option('--limit <count>', 'how many, at most 100', wholeNumber(1, 100), 10)
    .option('--json', 'print JSON')
    .action(async ({ code, phone, limit, json }: SmsOptions) => {
      const { isLoopback, dataDir } = config()
      if (!isLoopback) throw new Misuse('there is no local SMS outbox: GATEWAY_ORIGIN is not a loopback address')
      const newest = await readSmsOutbox(dataDir, phone === undefined && !code ? limit : searchLimit)
      const messages = newest.filter((message) => phone === undefined || message.phone === phone)
      if (code) return printCode(terminal, messages, json)
      const shown = messages.slice(0, limit)
      if (json) return terminal.printJson({ messages: shown })
      if (shown.length === 0) return terminal.print('No messages yet.\n')
      const rows = shown.map((message) => [
        message.sentAt,
        message.phone,
        message.kind === 'notice' ? message.text : message.code,
      ])
      await terminal.print(table(['sent', 'phone', 'code'], rows))
    })
}

/** Notices have no code. */
async function printCode(terminal: Terminal, messages: readonly SmsOutboxLine[], json?: true): Promise<void> {
  const newest = messages.find((message) => message.kind !== 'notice')
  if (!newest) throw new CommandFailure('no messages yet')
  await (json ? terminal.printJson({ code: newest.code }) : terminal.print(`${newest.code}\n`))
}
