import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { productionPackages } from '../production-packages.ts'
import { printedBlocks } from './page-commands.ts'

const root = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)
const smsSecret = `whsec_${Buffer.from('a secret of the relay, 32 bytes!').toString('base64')}`

/** What the page leaves to the operator: a vendor for SMS. */
export const chooseSms = (clientAddress: string) => `cat >>/etc/gateway/environment <<'END'
GATEWAY_SMS=http
SMS_SECRET=${smsSecret}
END
sed --in-place 's#^{#{ "sms": { "http": { "url": "http://${clientAddress}:8025", "secretEnv": "SMS_SECRET" } },#' /etc/gateway/gateway.json
`

/** The archive that the page builds: its command, in a folder with what the two npm commands would leave there. */
export async function buildProgram(folder: string): Promise<string> {
  const staged = join(folder, 'program')
  const runtime = `node_modules/node-linux-${process.arch}`
  for (const place of [
    ...productionPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))),
    runtime,
  ]) {
    await mkdir(dirname(join(staged, place)), { recursive: true })
    await run('cp', ['--archive', join(root, place), join(staged, place)])
  }
  await mkdir(join(staged, 'node_modules/.bin'))
  await symlink(`../node-linux-${process.arch}/bin/node`, join(staged, 'node_modules/.bin/node'))
  for (const place of ['package.json', 'src', 'deploy', 'docs', 'console/dist']) {
    if (existsSync(join(root, place))) await cp(join(root, place), join(staged, place), { recursive: true })
  }
  const { text } = printedBlocks('two-machines').get('Build the program')![0]!
  const archive = join(folder, 'gateway-1.tar.gz')
  const commands = text.replace(/^npm .*\n/gm, '').replace('/tmp/gateway-1.tar.gz', archive)
  // The page's tar compresses with this one, which takes a third of the time.
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await writeFile(join(programs, 'gzip'), '#!/bin/sh\nexec /bin/gzip -1 "$@"\n', { mode: 0o755 })
  await run('bash', ['-euc', commands], {
    cwd: staged,
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  })
  return archive
}
