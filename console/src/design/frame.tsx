import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { chooseLanguage } from '../i18n/i18n.ts'
import { IconButton } from './button.tsx'
import { Segments } from './choices.tsx'
import { type ColorScheme, useColorScheme } from './color-scheme.ts'
import styles from './frame.module.css'
import { Icons } from './icons.tsx'
import { Connection, Problem } from './notice.tsx'
import { PageHead, PageSkeleton } from './page.tsx'

interface FrameProps {
  /** Visible even while the menu is closed. */
  readonly status: ReactNode
  readonly menu: ReactNode
  /** Next to the menu button. */
  readonly bell?: ReactNode
  readonly children: ReactNode
}

/** The layout of signed-in pages: navigation at the side, or in a menu above on narrow screens. */
export function Frame({ status, menu, bell, children }: FrameProps) {
  const { t } = useTranslation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the menu.
  useEffect(() => setMenuOpen(false), [location])

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
          <Link href="/" className={styles.home}>
            <Brand />
          </Link>
          <div className={styles.buttons}>
            {bell}
            <IconButton
              ref={menuButton}
              className={styles.menu}
              aria-expanded={isMenuOpen}
              aria-controls="menu"
              aria-label={t(isMenuOpen ? 'nav.closeMenu' : 'nav.menu')}
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              {isMenuOpen ? <Icons.close /> : <Icons.menu />}
            </IconButton>
          </div>
        </div>
        {status}
        <div id="menu" className={styles.drawer}>
          {menu}
          <Preferences />
          <p className={styles.times}>{t('common.timesIn')}</p>
        </div>
      </header>
      <div className={styles.main}>
        <Connection />
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}

interface EntranceProps {
  readonly title: string
  readonly lead: ReactNode
  /** In the top bar. */
  readonly link?: ReactNode
  /** Next to the form, or below it on narrow screens. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Entrance({ title, lead, link, aside, children }: EntranceProps) {
  return (
    <div className={styles.page}>
      <Connection />
      <header className={styles.entranceTop}>
        <Brand />
        {link}
        <Preferences />
      </header>
      <main className={styles.entranceMain} data-alone={!aside || undefined}>
        <div className={styles.form}>
          <PageHead title={title} lead={lead} />
          {children}
        </div>
        {aside}
      </main>
    </div>
  )
}

/** Shown until the session is known. */
export function Opening({ error, onRetry }: { error?: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Skeleton label={t('trouble.starting')}>{error ? <Problem error={error} onRetry={onRetry} /> : undefined}</Skeleton>
  )
}

interface SkeletonProps {
  readonly label: string
  /** Replaces the placeholder of the page. */
  readonly children?: ReactNode
}

/** The layout before the session is known. index.html contains the same markup for the time before the script runs. */
function Skeleton({ label, children }: SkeletonProps) {
  const [location] = useLocation()
  const isBeforeSignIn = location === '/sign-in' || location === '/register'
  return (
    <div className="skeleton" data-page={isBeforeSignIn ? 'auth' : 'console'}>
      <div className="skeleton-side">
        <Brand />
      </div>
      <main className="skeleton-main">{children ?? <PageSkeleton label={label} />}</main>
    </div>
  )
}

/** The logo: lines of a ledger, the last one ruled twice. */
function Brand() {
  const { t } = useTranslation()
  return (
    <span className={styles.brand}>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" className={styles.ground} />
        <path d="M8 10h10M8 16h16M8 22h16M8 25h16" className={styles.line} />
        <circle cx="23" cy="10" r="2.2" className={styles.dot} />
      </svg>
      <span className={styles.name}>{t('product')}</span>
    </span>
  )
}

/** Language and colour scheme, stored in the browser. */
function Preferences() {
  const { t, i18n } = useTranslation()
  const [colorScheme, setColorScheme] = useColorScheme()
  const scheme = (value: ColorScheme, Icon: typeof Icons.sun, name: string) => ({
    value,
    label: (
      <span className={styles.icon} title={name}>
        <Icon size={16} />
        <span className="visually-hidden">{name}</span>
      </span>
    ),
  })
  return (
    <div className={styles.preferences}>
      <Segments
        aria-label={t('preferences.language')}
        value={i18n.language}
        onChange={(language) => void chooseLanguage(language)}
        data={[
          { value: 'zh-CN', label: <span lang="zh-CN">中文</span> },
          { value: 'en', label: <span lang="en">English</span> },
        ]}
      />
      <Segments
        aria-label={t('preferences.scheme')}
        value={colorScheme}
        onChange={setColorScheme}
        data={[
          scheme('light', Icons.sun, t('preferences.light')),
          scheme('auto', Icons.system, t('preferences.system')),
          scheme('dark', Icons.moon, t('preferences.dark')),
        ]}
      />
    </div>
  )
}
