import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const mainFile = new URL('../../src/main.ts', import.meta.url).pathname

/** Prints the flags the process ended with. */
const reporter = 'data:text/javascript,process.on("exit",()=>console.log(process.pid,process.execArgv.join(" ")))'

/** Starts with an invalid setting, so that the process ends by itself. */
function flagsOf(...given: string[]) {
  const { pid, stdout, stderr } = spawnSync(process.execPath, [...given, '--import', reporter, mainFile], {
    env: { PATH: process.env.PATH, GATEWAY_LISTEN: 'invalid' },
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^GATEWAY_LISTEN: [^\n]+\n$/)
  expect(stdout).toMatch(new RegExp(`^${pid} [^\n]+\n$`))
  return stdout.split(' ').filter((flag) => /semi-space|heap-growing/.test(flag))
}

test('the gateway bounds its memory however it is started, in the same process', () => {
  expect(flagsOf()).toEqual(['--max-semi-space-size=16', '--heap-growing-percent=100'])
})

test('a flag given on the command line wins', () => {
  expect(flagsOf('--max-semi-space-size=8')).toEqual(['--heap-growing-percent=100', '--max-semi-space-size=8'])
})
