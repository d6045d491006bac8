import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { tools } from '../../testkit/installed-tools.ts'
import { localhostCertificate } from '../../testkit/providers/localhost-certificate.ts'

/** The programs that read the files of deploy/ accept them. */
const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const run = promisify(execFile)

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-deploy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the scripts of PostgreSQL are accepted by bash', async () => {
  const scripts = readdirSync(join(deploy, 'postgres')).filter((name) => name.endsWith('.sh'))
  expect(scripts).not.toEqual([])
  for (const script of scripts) await run('bash', ['-n', join(deploy, 'postgres', script)])
})

test.runIf(tools.haproxy)('haproxy.cfg is accepted by HAProxy', async () => {
  const haproxy = read('haproxy.cfg')
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'certificate.pem'), localhostCertificate.cert + localhostCertificate.key)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, haproxy.replace('/etc/haproxy/', `${folder}/`).replace(/^ {2}(user|group) .*\n/gm, ''))
  const env = { ...process.env, ADDRESS_A: '10.20.0.11', ADDRESS_B: '10.20.0.12' }
  await run(tools.haproxy!, ['-c', '-f', file], { env })
  // Without addresses it must not start: an empty one would be the caller's.
  await expect(run(tools.haproxy!, ['-c', '-f', file])).rejects.toThrow(/could not resolve address 'gateway-a'/)
})

test.runIf(tools.haproxy)('haproxy.cfg of Patroni is accepted by HAProxy after the public one', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'certificate.pem'), localhostCertificate.cert + localhostCertificate.key)
  const publicFile = join(folder, 'haproxy.cfg')
  const text = read('haproxy.cfg').replace('/etc/haproxy/', `${folder}/`)
  await writeFile(publicFile, text.replace(/^ {2}(user|group) .*\n/gm, ''))
  const args = ['-c', '-f', publicFile, '-f', join(deploy, 'patroni/haproxy.cfg')]
  const env = { ...process.env, ADDRESS_A: '10.20.0.11', ADDRESS_B: '10.20.0.12', ADDRESS_C: '10.20.0.13' }
  await run(tools.haproxy!, args, { env })
  await expect(run(tools.haproxy!, args, { env: { ...env, ADDRESS_C: undefined } })).rejects.toThrow(/'node-c'/)
})

test.runIf(tools['systemd-analyze'])('gateway.service is accepted by systemd', async () => {
  const unit = read('gateway.service')
  const folder = await temporaryFolder()
  const program = join(folder, 'node')
  await writeFile(program, '#!/bin/sh\n')
  await chmod(program, 0o755)
  const file = join(folder, 'gateway.service')
  await writeFile(file, unit.replace('/opt/gateway/node_modules/.bin/node', program))
  const { stderr } = await run(tools['systemd-analyze']!, ['verify', file])
  expect(stderr.split('\n').filter((line) => line.includes('gateway.service'))).toEqual([])
})

test.runIf(tools.promtool)('the alert rules are accepted by promtool', async () => {
  await run(tools.promtool!, ['check', 'rules', join(deploy, 'prometheus/alerts.yml')])
  await run(tools.promtool!, ['check', 'config', join(deploy, 'prometheus/prometheus.yml')])
})
