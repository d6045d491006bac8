import { ActionIcon } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Brand } from '../design/brand.tsx'
import { Connection } from '../design/connection.tsx'
import { Icons } from '../design/icons.tsx'
import { PageSkeleton } from '../design/page-skeleton.tsx'
import { Preferences } from '../design/preferences.tsx'
import * as Pages from '../pages/pages.ts'
import { Balance } from './balance.tsx'
import { Crash } from './crash.tsx'
import { Nav } from './nav.tsx'
import { NoSuchPage } from './no-such-page.tsx'
import styles from './shell.module.css'

/** The frame around every page of a signed-in person: the balance and the way to each page always in sight. */
export function Shell() {
  const { t } = useTranslation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes to a page is done with the menu.
  useEffect(() => setMenuOpen(false), [location])
  useEffect(Pages.warmAllWhenIdle, [])

  useEffect(() => {
    if (!isMenuOpen) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setMenuOpen(false)
      menuButton.current?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [isMenuOpen])

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t('nav.skip')}
      </a>
      <header className={`${styles.side} not-printed`} data-open={isMenuOpen || undefined}>
        <div className={styles.top}>
          <Link href="/" className={styles.brand}>
            <Brand />
          </Link>
          <ActionIcon
            ref={menuButton}
            className={styles.menu}
            variant="subtle"
            size="lg"
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            aria-label={t(isMenuOpen ? 'nav.closeMenu' : 'nav.menu')}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {isMenuOpen ? <Icons.close /> : <Icons.menu />}
          </ActionIcon>
        </div>
        <Balance />
        <div id="menu" className={styles.drawer}>
          <Nav />
          <Preferences />
          <p className={styles.times}>{t('common.timesIn')}</p>
        </div>
      </header>
      <div className={styles.main}>
        <Connection />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Crash at={location} onRetry={Pages.forgetFailures}>
            <Suspense fallback={<PageSkeleton />}>
              <Switch>
                <Route path="/" component={Pages.Overview} />
                <Route path="/recharge" component={Pages.Recharge} />
                <Route path="/usage" component={Pages.Usage} />
                <Route path="/usage/:chargeId" component={Pages.Receipt} />
                <Route path="/ledger" component={Pages.Ledger} />
                <Route path="/reviews" component={Pages.Reviews} />
                <Route path="/keys" component={Pages.Keys} />
                <Route path="/playground/:operation?" component={Pages.Playground} />
                <Route path="/media" component={Pages.Media} />
                <Route path="/pricing" component={Pages.Pricing} />
                <Route path="/account" component={Pages.Account} />
                <Route component={NoSuchPage} />
              </Switch>
            </Suspense>
          </Crash>
        </main>
      </div>
    </div>
  )
}
