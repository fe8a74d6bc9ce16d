// French words whose sound does not follow from their spelling.

/** Word and sound, separated by commas. */
const listed = `
  le lə, je ʒə, de də, me mə, te tə, se sə, ce sə, ne nə, que kə, les le, des de, mes me, tes te,
  ses se, ces se, et e, est ɛ, es ɛ, à a, a a, as a, y i, où u, un œ̃, une yn, en ɑ̃, on ɔ̃, mon mɔ̃,
  ton tɔ̃, son sɔ̃, nos no, vos vo, aux o, au o, monsieur məsjø, messieurs mesjø, madame madam,
  femme fam, femmes fam, fils fis, sens sɑ̃s, tous tus, plus ply, six sis, dix dis, huit ɥit, sept sɛt,
  neuf nœf, cinq sɛ̃k, vingt vɛ̃, deux dø, trois tʁwa, cent sɑ̃, mille mil, million miljɔ̃,
  millions miljɔ̃, ville vil, villes vil, village vilaʒ, tranquille tʁɑ̃kil, seconde səɡɔ̃d,
  second səɡɔ̃, août ut, hier jɛʁ, mer mɛʁ, cher ʃɛʁ, fer fɛʁ, hiver ivɛʁ, merci mɛʁsi, eux ø, eu y,
  eue y, avez ave, avec avɛk, donc dɔ̃k, avril avʁil, mars maʁs, juin ʒɥɛ̃, juillet ʒɥijɛ, ours uʁs,
  bus bys, gaz ɡaz, net nɛt, ouest wɛst, sud syd, club klœb, sms ɛsɛmɛs, web wɛb, mail mɛl, email imɛl,
  oui wi, pays pei, paysage peizaʒ, examen ɛɡzamɛ̃, bien bjɛ̃, rien ʁjɛ̃, combien kɔ̃bjɛ̃,
  client klijɑ̃, clients klijɑ̃, patient pasjɑ̃, patients pasjɑ̃, patienter pasjɑ̃te, moment mɔmɑ̃,
  comment kɔmɑ̃, vient vjɛ̃, viens vjɛ̃, tient tjɛ̃, convient kɔ̃vjɛ̃, sont sɔ̃, ont ɔ̃, font fɔ̃,
  vont vɔ̃, notre nɔtʁ, votre vɔtʁ, quatre katʁ, autre otʁ, autres otʁ, peut pø, peux pø, veut vø,
  veux vø, temps tɑ̃, longtemps lɔ̃tɑ̃, corps kɔʁ, nombreux nɔ̃bʁø, doigt dwa, compte kɔ̃t,
  compter kɔ̃te, automne otɔn, condamner kɔ̃dane, sculpture skyltyʁ, baptême batɛm, septembre sɛptɑ̃bʁ,
  octobre ɔktɔbʁ, parce paʁs, lorsque lɔʁskə, puisque pɥiskə, quelque kɛlkə, quelques kɛlkə, chose ʃoz, choses ʃoz,
  faisons fəzɔ̃, faisait fəzɛ, aujourd oʒuʁd, hui ɥi, mesdames medam, tout tu, toute tut, toutes tut,
  il il, ils il, elle ɛl, elles ɛl, dès dɛ, très tʁɛ, après apʁɛ, chez ʃe, assez ase, nez ne, prix pʁi,
  voix vwa, choix ʃwa, paix pɛ, taxi taksi, index ɛ̃dɛks, sac sak, parc paʁk, banc bɑ̃, blanc blɑ̃,
  franc fʁɑ̃, tabac taba, estomac ɛstɔma, clef kle, oeuf œf, œufs ø, bœufs bø, outil uti, gentil ʒɑ̃ti,
  fusil fyzi, sourcil suʁsi, persil pɛʁsi, album albɔm, maximum maksimɔm, minimum minimɔm, forum fɔʁɔm,
  parfum paʁfœ̃, lundi lœ̃di, emmener ɑ̃mne, ennui ɑ̃nɥi, prochain pʁɔʃɛ̃, maintenant mɛ̃tnɑ̃,
  appelle apɛl, appeler aple, rappeler ʁaple, rappelle ʁapɛl, samedi samdi, mercredi mɛʁkʁədi,
  vendredi vɑ̃dʁədi, dimanche dimɑ̃ʃ, petit pəti, petite pətit, demain dəmɛ̃, besoin bəzwɛ̃,
  adresse adʁɛs, numéro nymeʁo, bonjour bɔ̃ʒuʁ, revoir ʁəvwaʁ, rendez ʁɑ̃de, vous vu, euro øʁo,
  euros øʁo, heureux øʁø, heureuse øʁøz, pied pje, pieds pje, parent paʁɑ̃, parents paʁɑ̃,
  restent ʁɛst, coûtent kut, arrivent aʁiv, peuvent pœv, doivent dwav, reçoivent ʁəswav, portent pɔʁt,
  nous nu, cet sɛt, cette sɛt, sur syʁ, pour puʁ, jour ʒuʁ, jours ʒuʁ, heure œʁ, heures œʁ,
`

export const frenchWords: Readonly<Record<string, string>> = Object.fromEntries(
  listed
    .split(',')
    .map((pair) => pair.trim().split(' '))
    .filter((pair): pair is [string, string] => pair.length === 2),
)
