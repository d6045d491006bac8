import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { launchChromium } from '../testkit/browser/chromium.ts'
import { startConsoleGateway } from '../testkit/browser/console-gateway.ts'
import { seedProject } from '../testkit/browser/console-seed.ts'
import { stepsOf } from '../testkit/browser/console-steps.ts'
import { visitConsole } from '../testkit/browser/console-visit.ts'
import { measureLoad } from './console/measure-load.ts'
import { isMissed, pages } from './console/pages.ts'
import { consoleFigures, consoleReport, type PageResult } from './console/report.ts'
import { describeMachine } from './report/machine.ts'
import { publish } from './report/publish.ts'

/** How fast every page opens for the first time on a slow phone and a slow network. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 99)
  throw new Error('--rounds takes a whole number from 1 to 99')

/** Parts of paths, separated by commas. */
const parts = values.only.split(',')
const wanted = pages.filter(({ path }) => parts.some((part) => path.includes(part)))
if (wanted.length === 0) throw new Error(`--only ${values.only} matches no page`)

const days = 20
const machine = describeMachine(tmpdir())
const gateway = await startConsoleGateway({ startDaysAgo: days })
const browser = await launchChromium()
const results: PageResult[] = []
try {
  const visit = await visitConsole(browser, gateway.origin)
  await seedProject(gateway, visit, stepsOf(visit, gateway.codeFor), days)
  const signedIn = await visit.context.storageState()
  await visit.context.close()
  for (const page of wanted) {
    const loads = []
    for (let round = 0; round < rounds; round++) {
      // A context of its own has an empty cache.
      const context = await browser.newContext({
        viewport: { width: 412, height: 823 },
        ...(page.isSignedIn && { storageState: signedIn }),
      })
      loads.push(await measureLoad(context, gateway.origin + page.path))
      await context.close()
    }
    const result = { page, loads }
    results.push(result)
    console.log(page.path, isMissed(result) ? 'misses a goal' : 'meets its goals')
  }
} finally {
  await browser.close()
  await gateway.stop()
}

const run = { results, rounds, machine }
if (values.only !== '') console.log(consoleFigures(run))
else {
  const file = await publish({
    name: 'console',
    markdown: consoleReport(run),
    summary: consoleFigures(run),
    isQuick: rounds < 3,
  })
  console.log(file)
}
