// Words of today that the dictionary lacks, and words that it has only in a less usual pronunciation. ARPAbet.

const entries = `
accent AE1 K S EH2 N T
admin AE1 D M IH2 N
android AE1 N D R OY2 D
aren't AA1 R N T
because B IH0 K AH1 Z
blog B L AO1 G
bluetooth B L UW1 T UW2 TH
bot B AA1 T
cannot K AE1 N AA2 T
chatbot CH AE1 T B AA2 T
copay K OW1 P EY2
copays K OW1 P EY2 Z
covid K OW1 V IH0 D
email IY1 M EY2 L
emailed IY1 M EY2 L D
emailing IY1 M EY2 L IH0 NG
emails IY1 M EY2 L Z
est EH1 S T
etsy EH1 T S IY0
facebook F EY1 S B UH2 K
fi F AY1
forbidden F ER0 B IH1 D AH0 N
friday F R AY1 D EY2
fridays F R AY1 D EY2 Z
gmail JH IY1 M EY2 L
google G UW1 G AH0 L
hm HH AH1 M
hmm HH AH1 M
inbound IH1 N B AW2 N D
insecure IH2 N S IH0 K Y UH1 R
instagram IH1 N S T AH0 G R AE2 M
into IH1 N T UW0
ios AY2 OW2 EH1 S
ipad AY1 P AE2 D
iphone AY1 F OW2 N
lawyer L OY1 ER0
lead L IY1 D
lego L EH1 G OW0
linkedin L IH2 NG K T IH1 N
login L AO1 G IH2 N
logout L AO1 G AW2 T
mastercard M AE1 S T ER0 K AA2 R D
mhm AH0 M HH AH1 M
missus M IH1 S IH0 Z
miz M IH1 Z
mm AH1 M
mmm AH1 M
monday M AH1 N D EY2
mondays M AH1 N D EY2 Z
netflix N EH1 T F L IH2 K S
nina N IY1 N AH0
offline AO2 F L AY1 N
ok OW2 K EY1
okay OW2 K EY1
online AA2 N L AY1 N
overdue OW2 V ER0 D UW1
paypal P EY1 P AE2 L
podcast P AA1 D K AE2 S T
prepaid P R IY2 P EY1 D
query K W IH1 R IY0
read R IY1 D
reading R IY1 D IH0 NG
readings R IY1 D IH0 NG Z
really R IY1 L IY0
reschedule R IY0 S K EH1 JH UW2 L
rescheduled R IY0 S K EH1 JH UW2 L D
restaurant R EH1 S T ER0 AA2 N T
router R AW1 T ER0
routers R AW1 T ER0 Z
saturday S AE1 T ER0 D EY2
saturdays S AE1 T ER0 D EY2 Z
schedule S K EH1 JH UW2 L
scheduled S K EH1 JH UW2 L D
schedules S K EH1 JH UW2 L Z
scheduling S K EH1 JH UW2 L IH0 NG
shh SH AH1
skype S K AY1 P
smartphone S M AA1 R T F OW2 N
spotify S P AA1 T IH0 F AY2
status S T EY1 T AH0 S
stronger S T R AO1 NG G ER0
sunday S AH1 N D EY2
sundays S AH1 N D EY2 Z
tear T EH1 R
telephony T AH0 L EH1 F AH0 N IY0
thirtieth TH ER1 T IY0 IH0 TH
thirty TH ER1 T IY0
thursday TH ER1 Z D EY2
thursdays TH ER1 Z D EY2 Z
tiktok T IH1 K T AA2 K
transfer T R AE1 N S F ER0
transferred T R AE1 N S F ER0 D
transferring T R AE1 N S F ER0 IH0 NG
transfers T R AE1 N S F ER0 Z
tuesday T UW1 Z D EY2
tuesdays T UW1 Z D EY2 Z
uber UW1 B ER0
update AH1 P D EY2 T
updated AH1 P D EY2 T IH0 D
updates AH1 P D EY2 T S
updating AH1 P D EY2 T IH0 NG
upgrade AH1 P G R EY2 D
upgraded AH1 P G R EY2 D IH0 D
upgrades AH1 P G R EY2 D Z
upgrading AH1 P G R EY2 D IH0 NG
upload AH1 P L OW2 D
uploaded AH1 P L OW2 D IH0 D
upset AH2 P S EH1 T
use Y UW1 Z
vegan V IY1 G AH0 N
voicemail V OY1 S M EY2 L
was W AH1 Z
wasn't W AH1 Z AH0 N T
wednesday W EH1 N Z D EY2
wednesdays W EH1 N Z D EY2 Z
weren't W ER1 N T
whatsapp W AH1 T S AE2 P
wi W AY1
wifi W AY1 F AY2
wind W IH1 N D
without W IH0 DH AW1 T
yeah Y EH1 AH0
yours Y AO1 R Z
youtube Y UW1 T UW2 B
zoom Z UW1 M
`

export const ownWords: ReadonlyMap<string, readonly string[]> = new Map(
  entries
    .trim()
    .split('\n')
    .map((line) => {
      const [word = '', ...phones] = line.split(' ')
      return [word, phones]
    }),
)
