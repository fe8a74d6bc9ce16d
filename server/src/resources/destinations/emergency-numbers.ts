// The numbers of police, fire brigade and ambulance, by country.
//
// Telephones never call short numbers, in the table or not. It is for longer ones, for simulated calls, and for
// addresses at a PBX, where short numbers are also the extensions of people.
import { callingCodeOf, countriesOf, nationalNumber } from './numbering-plan.ts'

const table = `
  AD 110 112 116 118 | AE 112 901 911 996 997 998 999 | AL 112 126 127 128 129 | AM 101 102 103 112 911
  AR 100 101 103 106 107 911 | AT 112 122 128 133 140 141 144 147 | AU 000 106 112 | AZ 101 102 103 112
  BA 122 123 124 | BD 999 | BE 100 101 110 112 | BG 112 150 160 166 | BH 112 199 999 | BO 110 118 119
  BR 112 185 190 191 192 193 197 198 199 911 | BY 101 102 103 112 | CA 112 911 | CH 112 117 118 143 144 147 1414
  CL 130 131 132 133 | CN 110 119 120 122 999 | CO 112 119 123 125 132 156 | CR 911 | CY 112 199
  CZ 112 150 155 156 158 | DE 110 112 | DK 112 114 | DO 112 911 | DZ 14 17 1548 | EC 101 102 911 | EE 110 112
  EG 112 122 123 126 180 | ES 061 062 080 085 091 092 112 016 | ET 907 911 991 | FI 112
  FR 15 17 18 112 114 115 119 191 196 197 | GB 112 999 18000 | GE 112 | GH 112 191 192 193 999 | GR 100 108 112 166 199
  GT 110 120 122 123 | HK 112 992 999 | HN 195 198 199 911 | HR 112 192 193 194 195 | HU 104 105 107 112
  ID 110 112 113 115 117 118 119 129 | IE 112 999 | IL 100 101 102 112 911 1202
  IN 100 101 102 103 108 112 1033 1073 1091 1096 1098 | IQ 104 115 122 911 | IR 110 112 115 125 | IS 112
  IT 112 113 114 115 117 118 1515 1522 1525 1530 | JM 110 112 119 911 | JO 112 911 | JP 110 118 119 | KE 112 911 999
  KR 111 112 113 117 118 119 122 125 | KW 112 | KZ 101 102 103 104 112 | LB 112 125 140 175 1701 | LK 110 118 119 1938 1990
  LT 112 | LU 112 113 | LV 110 112 113 | MA 15 19 112 150 177 | MC 15 17 18 112 | MD 112 901 902 903 | ME 112 122 123 124
  MK 112 192 193 194 | MT 112 | MX 060 065 066 068 078 080 088 089 911 | MY 112 991 994 999 | NG 112 199 767 911
  NI 115 118 128 | NL 112 | NO 110 112 113 | NP 100 101 102 103 104 | NZ 111 | OM 112 9999 | PA 103 104 911
  PE 105 106 115 116 911 | PH 112 117 911 | PK 15 16 112 115 1021 1122 1915 | PL 112 984 985 986 991 992 993 994 997 998 999
  PT 112 115 117 | PY 128 131 132 911 | QA 112 999 | RO 112 | RS 112 192 193 194 | RU 01 02 03 04 101 102 103 104 112
  SA 112 911 937 966 985 993 994 996 997 998 999 | SE 112 | SG 112 992 993 995 999 1777 | SI 112 113 | SK 112 150 155 158 159
  SV 132 911 913 | TH 112 191 199 1155 1193 1554 1646 1669 | TN 190 193 197 198 | TR 110 112 122 153 155 156 158 177
  TT 112 811 911 990 999 | TW 110 112 118 119 | TZ 111 112 114 115 | UA 101 102 103 104 112 | UG 112 999 | US 112 911 988
  UY 104 105 911 | UZ 101 102 103 104 112 | VE 171 911 | VN 112 113 114 115 | ZA 107 112 10111 10177 | ZM 112 991 993 999
  ZW 112 993 994 995 999`

const byCountry: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  table.split(/[|\n]/).flatMap((row) => {
    const [country, ...numbers] = row.trim().split(' ')
    return country ? [[country, new Set(numbers)]] : []
  }),
)

// Mobile networks take these for emergency calls in every country.
const everywhere = new Set(['112', '911', '999'])

// The shortest telephone numbers have four digits after a country code of three.
const longestShortNumber = 6
const longestShortNational = 3

/** `digits`: those of a number in E.164 form. */
export function isEmergencyNumber(digits: string): boolean {
  if (everywhere.has(digits)) return true
  const code = callingCodeOf(digits)
  if (code === undefined) return false
  const national = nationalNumber(digits, code)
  return everywhere.has(national) || countriesOf(code).some((country) => has(country, national))
}

/**
 * Whether a number is too short for a telephone: such a number leads to a service of a network, most often to an
 * emergency service.
 */
export function isShortNumber(digits: string): boolean {
  const code = callingCodeOf(digits) ?? ''
  return digits.length <= longestShortNumber || nationalNumber(digits, code).length <= longestShortNational
}

/** `dialled`: as on a telephone in one of the countries, such as 110. */
export const isEmergencyDialled = (dialled: string, countries: readonly string[]): boolean =>
  everywhere.has(dialled) || countries.some((country) => has(country, dialled))

const has = (country: string, number: string): boolean => byCountry.get(country)?.has(number) ?? false
