import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { requireKind } from '../kind.ts'

const places = [
  // The same engine without windows: a quarter less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** An installed Chromium or Chrome; undefined where there is none. */
export const chromiumPath = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))

/** Whether the browser tests run: where one is installed, and always in CI or with REQUIRE_BROWSER=1, so that a missing one is noticed. */
export const runsBrowser =
  chromiumPath !== undefined || process.env.REQUIRE_BROWSER === '1' || process.env.CI !== undefined

export const howToInstall =
  'Install Chromium or Chrome (on Debian: apt-get install chromium fonts-noto-cjk), or set CHROMIUM_PATH to one.'

export async function launchChromium(): Promise<Browser> {
  requireKind('browser', 'A browser')
  if (chromiumPath === undefined) throw new Error(`There is no browser here. ${howToInstall}`)
  return chromium.launch({ executablePath: chromiumPath, args: [...flags] })
}

let shared: Promise<Browser> | undefined

/** One browser for all test files of a worker process. It ends with the process; a test closes only the contexts that it opened. */
export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium()
  return shared
}

/**
 * Chromium heeds only the last list of disabled features, so Playwright's own come first, those that concern tests here.
 * The others are pages of the browser's own address bar and toolbar, which every new window loads: almost half of the work.
 */
const disabledFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding'],
  ...['HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...[
    'LensOverlay',
    'MediaRouter',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
  ],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIReloadButton', 'PreloadTopChromeWebUI'],
]

/** Without a sandbox, because tests also run as root in containers: they open only our own pages. The rest saves time. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${disabledFeatures.join()}`,
]
