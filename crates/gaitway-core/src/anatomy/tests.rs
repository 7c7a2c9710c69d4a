use super::*;

#[test]
fn names_are_read_as_words() {
    assert_eq!(words("mixamorig:LeftUpLeg"), ["left", "up", "leg"]);
    assert_eq!(words("lfemur"), ["l", "femur"]);
    assert_eq!(words("thigh.L"), ["thigh", "l"]);
    assert_eq!(words("joint_Root"), ["joint", "root"]);
    assert_eq!(side_of("leg_joint_L_1"), Some(Side::Left));
    assert_eq!(side_of("LHipJoint"), Some(Side::Left));
    assert_eq!(side_of("LowerBack"), None);
    assert_eq!(side_of("rradius"), Some(Side::Right));
    assert_eq!(side_of("radius"), None);
}

#[test]
fn labels_swap_sides_as_words() {
    assert_eq!(swap_side_in_label("turn-left"), "turn-right");
    assert_eq!(swap_side_in_label("cleft-right"), "cleft-left");
}

#[test]
fn a_named_body_is_found() {
    let body = crate::testing::small_body();
    let anatomy = Anatomy::of(&body);
    let [left, right] = anatomy.both_legs().expect("two legs");
    assert_eq!(body.name(left.hip), "LeftUpLeg");
    assert_eq!(body.name(left.knee), "LeftLeg");
    assert_eq!(body.name(right.ankle), "RightFoot");
    assert_eq!(anatomy.pelvis, JointIdx::ROOT);
}

#[test]
fn a_nameless_body_is_found_by_shape() {
    let named = crate::testing::small_body();
    let mut b = Skeleton::builder();
    for joint in named.joints() {
        let name = format!("j{}", joint.0);
        match named.parent(joint) {
            None => b.root(name, named.offset(joint)),
            Some(parent) => b.joint(name, parent, named.offset(joint)),
        };
    }
    for site in named.end_sites() {
        b.end_site(site.parent, site.offset);
    }
    let bare = b.build().expect("the same tree");
    assert_eq!(Anatomy::of(&bare).legs, Anatomy::of(&named).legs);
}
