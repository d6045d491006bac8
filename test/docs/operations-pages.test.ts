import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { freshDatabase } from '../../testkit/store/engines.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')
const names = ['operations', 'two-machines', 'recovery', 'archives', 'connections', 'operators', 'monitoring']
const pages = names.map((name) => read(`${name}.md`)).join('\n')
const monitoring = read('monitoring.md')
const source = globSync('src/**/*.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

describe('the operations pages', () => {
  test('the operations pages name only commands that exist', async () => {
    const database = await freshDatabase('sqlite')
    const named = new Set(
      [
        ...pages.matchAll(
          /npm run gateway -- ([a-z]+(?: (?:list|settle|release|grant|withdraw|find|show|suspend|reinstate|sign-out|revoke|add|disable|reset|verify)\b)?)/g,
        ),
      ].map((match) => match[1]!),
    )
    expect(named.size).toBeGreaterThan(6)
    for (const command of named) {
      expect(await runCommand(database, [...command.split(' '), '--help'])).toMatchObject({ exitCode: 0 })
    }
    await database.remove()
  })

  test('the operations pages explain every log message', () => {
    const logged = [...source.matchAll(/logger\.(?:info|warn|error)\((?:[^\n]*, )?'([^'\n]+)'\)/g)].map(
      (match) => match[1]!,
    )
    expect(logged.length).toBeGreaterThan(12)
    expect(logged.filter((message) => !monitoring.includes(`\`${message}\``))).toEqual([])
  })

  test('the operations pages name every metric and no other', () => {
    const named = new Set(pages.match(/gateway_[a-z_]+/g))
    const registered = new Set([...source.matchAll(/'(gateway_[a-z_]+)'/g)].map((match) => match[1]!))
    for (const cookie of ['gateway_session', 'gateway_sign_in', 'gateway_operator']) registered.delete(cookie)
    expect([...named].sort()).toEqual([...registered].sort())
  })
})
