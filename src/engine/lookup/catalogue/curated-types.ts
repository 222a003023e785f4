/** A list of data point types that the publisher recommends. The live catalogue may lack some of them. */
export interface CuratedList {
  name: string;
  typeIds: readonly number[];
}

/** The published lists as of 2026-11, in the catalogue's order. */
export const curatedLists: readonly CuratedList[] = [
  {
    name: "Residential solar",
    typeIds: [
      1001, 1002, 1003, 1004, 1019, 1020, 1021, 1023, 1024, 1025, 1030, 1034, 1045, 1049, 1050, 1055, 1057,
      1069, 1072, 1073, 1076, 1077, 1089, 1091, 1092, 1095, 1099, 1105, 1106, 1107, 1123, 1124, 1139, 1140,
      1154, 1170, 1172, 1173, 1174, 1226, 1229, 1237, 1240, 1241, 1242, 1254, 1256, 1258, 1263, 1269, 1275,
      1279, 1289,
    ],
  },
  {
    name: "Commercial solar",
    typeIds: [
      1001, 1003, 1004, 1005, 1006, 1019, 1020, 1023, 1031, 1047, 1050, 1052, 1063, 1064, 1069, 1078, 1089,
      1091, 1094, 1095, 1100, 1108, 1109, 1114, 1149, 1154, 1157, 1161, 1184, 1186, 1187, 1189, 1190, 1191,
      1196, 1209, 1214, 1215, 1227, 1241, 1246, 1255, 1257, 1259, 1274, 1309,
    ],
  },
];
