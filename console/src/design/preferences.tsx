import { useTranslation } from 'react-i18next'
import { chooseLanguage } from '../i18n/i18n.ts'
import { type ColorScheme, useColorScheme } from './color-scheme.ts'
import { Icons } from './icons.tsx'
import styles from './preferences.module.css'
import { Segments } from './segments.tsx'
import hidden from './visually-hidden.module.css'

/** Language and colours. Nothing else of a person is kept in the browser. */
export function Preferences() {
  const { t, i18n } = useTranslation()
  const [colorScheme, setColorScheme] = useColorScheme()
  const scheme = (value: ColorScheme, Icon: typeof Icons.sun, name: string) => ({
    value,
    label: (
      <span className={styles.icon} title={name}>
        <Icon size={16} />
        <span className={hidden.text}>{name}</span>
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
